import { useState } from "preact/hooks";
import { forget, keep, kept } from "../lib/storage";

/** An answer that is still being made: as much of it as there is. */
export interface Draft {
  choices?: number[];
  text?: string;
  wager?: number;
}

export interface DraftKeeper {
  value: Draft;
  change: (part: Draft) => void;
  /** Once it is sent, the outbox keeps it. */
  forget: () => void;
}

/** Keeps what has been chosen, put in order or typed for a question, so that a reload loses none of it. */
export function useDraft(question: string): DraftKeeper {
  const key = `draft:${location.pathname}:${question}`;
  const [value, setValue] = useState<Draft>(() => JSON.parse(kept(key) ?? "{}") as Draft);
  return {
    value,
    change: (part) => {
      const next = { ...value, ...part };
      setValue(next);
      keep(key, JSON.stringify(next));
    },
    forget: () => forget(key),
  };
}
