import { useEffect, useRef } from "preact/hooks";
import { singleKeysAct } from "../lib/single-keys";
import type { ActionsProps } from "./actions";
import { type Action, actionOf, keyOf } from "./keys";
import { commandOf } from "./steps";

interface KeysProps extends ActionsProps {
  /** Closes the marking, while it is open. */
  closeMarking: (() => void) | undefined;
}

/** Where keys are letters. */
const typing = "input, textarea, select, dialog";

/**
 * Keys that are pressed anywhere on the page but where somebody types. Space is the next step, also where a click left the focus on some
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
      const walks = ["Tab", "ArrowUp", "ArrowDown"].includes(event.key) || actionOf("players", event.key) === "walk";
      if (walks) pointing = false;
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
  const target = event.target as HTMLElement;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || target.closest(typing)) return;
  if (event.key.length === 1 && !singleKeysAct()) return;
  if (props.asking) {
    const answer = actionOf("asked", event.key);
    if (answer) props.answer(answer === "yes");
    return;
  }
  const step = actionOf("evening", event.key) === "step";
  if ((step && !pointing && target.closest("button")) || !act(event.key, props)) return;
  event.preventDefault();
  if (step) target.blur(); // or letting the key go would press the button
}

/** Does what the key means here and now. False if it means nothing. The marking comes before all else while it is open. */
function act(key: string, { snapshot, take, closeMarking }: KeysProps): boolean {
  if (closeMarking) {
    // Not by the button that shows the key: after the end there are two, and one opens the marking.
    if (actionOf("asked", key) === "no" || actionOf("question", key) === "mark") {
      closeMarking();
      return true;
    }
    const marking = actionOf("marking", key);
    if (marking) return press(marking, ".marking");
  }
  if (actionOf("asked", key) === "yes") return press("yes", ".players"); // players are asked about where they are listed
  const action = actionOf("evening", key) ?? actionOf("question", key) ?? actionOf("players", key);
  if (!action) return false;
  if (action === "walk") {
    document.querySelector<HTMLElement>(".who")?.focus();
    return true;
  }
  const command = commandOf(action, snapshot);
  if (!command) return press(action, ".console");
  take(command);
  return true;
}

/** Presses the button that shows the action's key, if there is one. */
function press(action: Action, within: string): boolean {
  const button = document.querySelector<HTMLElement>(`${within} [aria-keyshortcuts="${keyOf(action)}"]`);
  button?.click();
  return button !== null;
}
