import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { Cross } from "../lib/icons";
import { QuizLanguage } from "../lib/quiz-language";
import { onMoveKey } from "./move-key";

interface EntryProps {
  name: string;
  value: string;
  max: number;
  problem: string | undefined;
  onInput: (value: string) => void;
  remove: (() => void) | undefined;
  /** What its button says to a screen reader. */
  removal: string;
  /** Where the order matters: one place up or down, by Alt and an arrow. */
  move?: (step: -1 | 1) => void;
  children?: ComponentChildren;
}

/** One line of a list: what stands before it, its text, a button to remove it, and what is wrong with it. */
export function Entry({ name, value, max, problem, onInput, remove, removal, move, children }: EntryProps) {
  return (
    <li class="entry" data-drag="" onKeyDown={move && ((event) => onMoveKey(event, move))}>
      {children}
      <input
        class="input"
        value={value}
        maxLength={max}
        aria-label={name}
        aria-invalid={problem !== undefined}
        autocomplete="off"
        dir="auto"
        lang={useContext(QuizLanguage)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {remove && (
        <button type="button" class="button button-quiet button-icon" aria-label={removal} onClick={remove}>
          <Cross />
        </button>
      )}
      {problem && <p class="field-problem">{problem}</p>}
    </li>
  );
}

export function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="button button-quiet add" onClick={onClick}>
      + {label}
    </button>
  );
}
