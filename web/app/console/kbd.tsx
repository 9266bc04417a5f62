import { type Action, keyOf } from "./keys";

/** The key of an action, on the button that does the same. */
export function Kbd({ of }: { of: Action }) {
  return <kbd class="kbd">{keyOf(of)}</kbd>;
}
