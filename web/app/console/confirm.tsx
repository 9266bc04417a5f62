import { useEffect, useRef } from "preact/hooks";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";

interface ConfirmProps {
  question: string;
  meaning: string;
  /** What the two buttons say. */
  stay: string;
  go: string;
  pending: boolean;
  answer: (go: boolean) => void;
}

/** Asks once whether something with consequences is meant, in the place of what else could be done. */
export function Confirm({ question, meaning, stay, go, pending, answer }: ConfirmProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div class="actions" role="alertdialog" aria-labelledby="asked" aria-describedby="asked-meaning">
      <div class="meaning">
        <h2 id="asked">{question}</h2>
        <p id="asked-meaning">{meaning}</p>
      </div>
      <button ref={keep} type="button" class="button" onClick={() => answer(false)}>
        {stay} <Kbd of="no" />
      </button>
      <button type="button" class="button button-primary next" disabled={pending} aria-keyshortcuts={keyOf("yes")} onClick={() => answer(true)}>
        {go} <Kbd of="yes" />
      </button>
    </div>
  );
}
