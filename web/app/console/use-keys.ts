import { useEffect, useRef } from "preact/hooks";
import type { ActionsProps } from "./actions";
import { commandFor } from "./steps";

/**
 * Keys that are pressed anywhere on the page but in a field. Space is the next step, also where a click left the focus on some
 * button; only a button that the keyboard went to is pressed by it, as everywhere.
 */
export function useKeys(props: ActionsProps): void {
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let pointing = false;
    const point = () => {
      pointing = true;
    };
    const press = (event: KeyboardEvent) => {
      if (["Tab", "ArrowUp", "ArrowDown"].includes(event.key) || isKey(event, "p")) pointing = false;
      pressed(event, latest.current, pointing);
    };
    document.addEventListener("pointerdown", point, true);
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("pointerdown", point, true);
      document.removeEventListener("keydown", press);
    };
  }, []);
}

function pressed(event: KeyboardEvent, { snapshot, finishing, take, answer, showKeys }: ActionsProps, pointing: boolean): void {
  const target = event.target as HTMLElement;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, dialog")) return;
  if (finishing) {
    if (event.key === "Escape") answer(false);
    else if (isKey(event, "y")) answer(true);
    return;
  }
  const step = event.key === " ";
  if (step && !pointing && target.closest("button")) return;
  const command = step ? snapshot.next : commandFor(event.key, snapshot.commands ?? []);
  if (event.key === "?") showKeys();
  else if (isKey(event, "p")) document.querySelector<HTMLElement>(".who")?.focus();
  else if (command) take(command);
  else if (!press(event.key)) return;
  event.preventDefault();
  if (step) target.blur(); // or letting the key go would press the button
}

/** Presses the button of the desk that shows the key, if there is one. */
function press(key: string): boolean {
  const button = /^[a-z]$/i.test(key) && document.querySelector<HTMLElement>(`.desk [aria-keyshortcuts="${key.toUpperCase()}"]`);
  if (button) button.click();
  return Boolean(button);
}

function isKey(event: KeyboardEvent, letter: string): boolean {
  return event.key.toLowerCase() === letter;
}
