import { type Action, shownKeyOf } from "./keys";

/** The key of an action, on the button that does the same. */
export function Kbd({ of }: { of: Action }) {
  return <kbd class="kbd">{shownKeyOf(of)}</kbd>;
}
