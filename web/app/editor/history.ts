import type { Editing } from "./edits";

/** All that was done since the page was opened, to go back to and forth again. */
export interface History {
  past: readonly Editing[];
  now: Editing;
  future: readonly Editing[];
  /** What the last step typed in, while typing on belongs to it. */
  typing?: Typing | undefined;
}

export interface Typing {
  /** Which field, such as "3.text": question 3's text. */
  field: string;
  /** When, in Unix milliseconds. */
  at: number;
}

/** How long, in milliseconds, typing may rest and still be one step with what is typed next. */
const rest = 1_500;

export const begun = (now: Editing): History => ({ past: [], now, future: [] });

/** A step further. What is typed in one field without a rest is one step. */
export function stepped(history: History, next: Editing, typing?: Typing): History {
  const { past, now } = history;
  if (next.draft === now.draft) return { ...history, now: next, typing: undefined };
  const goesOn = typing && history.typing?.field === typing.field && typing.at - history.typing.at < rest;
  return { past: goesOn ? past : [...past, now], now: next, future: [], typing };
}

/** A step back, to where it was done. */
export function undone({ past, now, future }: History): History {
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
}

/** Forth again. */
export function redone({ past, now, future }: History): History {
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : { past, now, future };
}
