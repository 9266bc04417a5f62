import type { Media } from "./protocol";

/** Where a picture, a sound or a film is. */
export function mediaURL({ id }: Media): string {
  return `/media/${encodeURIComponent(id)}`;
}
