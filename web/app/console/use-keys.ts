import { useEffect, useRef } from "preact/hooks";
import type { ActionsProps } from "./actions";
import { commandFor } from "./steps";

interface KeysProps extends ActionsProps {
  showKeys: () => void;
  /** Closes the marking, while it is open. */
  closeMarking: (() => void) | undefined;
}

/**
 * Keys that are pressed anywhere on the page but in a field. Space is the next step, also where a click left the focus on some
 * button; only a button that the keyboard went to is pressed by it, as everywhere.
 */
export function useKeys(props: KeysProps): void {
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let pointing = false;
    const point = () => {
      pointing = true;
    };
    const press = (event: KeyboardEvent) => {
      if (["Tab", "ArrowUp", "ArrowDown"].includes(event.key) || isKey(event, "w")) pointing = false;
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

function pressed(event: KeyboardEvent, props: KeysProps, pointing: boolean): void {
  const { snapshot, asking, take, answer, showKeys, closeMarking } = props;
  const target = event.target as HTMLElement;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, dialog")) return;
  if (asking) {
    if (event.key === "Escape") answer(false);
    else if (isKey(event, "y")) answer(true);
    return;
  }
  const step = event.key === " ";
  if (step && !pointing && target.closest("button")) return;
  const marked = closeMarking !== undefined && mark(event.key);
  const command = step ? snapshot.next : commandFor(event.key, snapshot.commands ?? []);
  if (event.key === "?") showKeys();
  else if (closeMarking && event.key === "Escape") closeMarking();
  else if (isKey(event, "w")) document.querySelector<HTMLElement>(".who")?.focus();
  else if (!marked && command) take(command);
  else if (!marked && !press(event.key, ".console")) return;
  event.preventDefault();
  if (step) target.blur(); // or letting the key go would press the button
}

const arrows: Readonly<Record<string, string>> = { ArrowUp: "K", ArrowDown: "J" };

/** Whether the key meant something to the marking, which comes before all else while it is open. */
function mark(key: string): boolean {
  return press(arrows[key] ?? key, ".marking");
}

/** Presses the button that shows the key, if there is one. */
function press(key: string, within: string): boolean {
  const button = /^[a-z+]$/i.test(key) && document.querySelector<HTMLElement>(`${within} [aria-keyshortcuts="${key.toUpperCase()}"]`);
  if (button) button.click();
  return Boolean(button);
}

function isKey(event: KeyboardEvent, letter: string): boolean {
  return event.key.toLowerCase() === letter;
}
