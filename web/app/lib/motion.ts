/** Moves an element as the design's motion tokens say; not at all where the person asked for less motion. */
export function motion(element: Element, keyframes: Keyframe[]): void {
  const style = getComputedStyle(element);
  const duration = parseFloat(style.getPropertyValue("--slow"));
  if (duration > 0) element.animate(keyframes, { duration, easing: style.getPropertyValue("--ease") });
}
