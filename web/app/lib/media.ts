import type { Media } from "./protocol";

/** Where a picture, a sound or a film is. */
export function mediaURL({ id }: Pick<Media, "id">): string {
  return `/media/${encodeURIComponent(id)}`;
}
