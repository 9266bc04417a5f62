import { mediaURL } from "../lib/media";

/** The pub's logo, in the room that there is for it. */
export function Logo({ id }: { id: string }) {
  return <img class="logo" src={mediaURL({ id })} alt="The pub’s logo" />;
}
