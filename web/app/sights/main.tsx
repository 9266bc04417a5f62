import { render } from "preact";
import { Sight, type SightProps } from "./sight";

/** Draws what the room sees into an element of the console, and draws it anew when it is called again. A script of its own, which the console loads once it can be used. */
export function draw(into: HTMLElement, props: SightProps): void {
  render(<Sight {...props} />, into);
}
