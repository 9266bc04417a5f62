// What is pressed shows it in the very next picture, whatever the page is doing: a browser's own :active waits until it knows that a touch is no scroll, and a slow phone takes a while from the
// touch's end to the click and to what that changes.

const afterwards = 300; // milliseconds after a touch that was no click

/** Marks what a finger presses with data-pressed, until what the click changes is drawn. */
export function showPresses(): void {
  let pressed: HTMLElement | undefined;
  let timer = 0;
  const release = () => {
    window.clearTimeout(timer);
    pressed?.removeAttribute("data-pressed");
    pressed = undefined;
  };
  document.addEventListener("pointerdown", ({ target }) => {
    release();
    const button = (target as Element).closest<HTMLElement>("button, a.button");
    if (!button || button.ariaDisabled === "true") return;
    pressed = button;
    button.setAttribute("data-pressed", "");
  });
  document.addEventListener("pointercancel", release); // the page scrolls
  document.addEventListener("pointerup", () => (timer = window.setTimeout(release, afterwards)));
  document.addEventListener("click", () => requestAnimationFrame(release));
}
