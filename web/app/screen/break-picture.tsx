import { t } from "../lib/language";
import { mediaURL } from "../lib/media";

/** A picture of the breaks over the whole scene; the way to join stays above it. */
export function BreakPicture({ id }: { id: string }) {
  return (
    <div class="break">
      <img key={id} src={mediaURL({ id })} alt={t("A picture for the break")} />
    </div>
  );
}
