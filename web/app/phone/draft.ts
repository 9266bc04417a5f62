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

const key = "draft"; // one for all questions: those that went by need none

/** Keeps what has been chosen, put in order or typed for a question, so that a reload loses none of it. */
export function useDraft(question: string): DraftKeeper {
  const of = `${location.pathname} ${question}`;
  const [value, setValue] = useState<Draft>(() => draftOf(of));
  return {
    value,
    change: (part) => {
      const next = { ...value, ...part };
      setValue(next);
      keep(key, JSON.stringify({ of, draft: next }));
    },
    forget: () => forget(key),
  };
}

function draftOf(question: string): Draft {
  const { of, draft } = JSON.parse(kept(key) ?? "{}") as { of?: string; draft?: Draft };
  return (of === question && draft) || {};
}
