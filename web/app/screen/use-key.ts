import { useEffect } from "preact/hooks";
import { singleKeysAct } from "../lib/single-keys";

/** Does something when a letter is pressed alone. */
export function useKey(letter: string, act: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === letter && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && singleKeysAct()) act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}
