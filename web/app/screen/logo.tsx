import { t } from "../lib/language";
import { mediaURL } from "../lib/media";

/** The pub's logo, in the room that there is for it. */
export function Logo({ id }: { id: string }) {
  return <img class="logo" src={mediaURL({ id })} alt={t("The pub’s logo")} />;
}
