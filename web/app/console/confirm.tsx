import { useEffect, useRef } from "preact/hooks";

interface ConfirmProps {
  question: string;
  meaning: string;
  /** What the two buttons say, and the key of the one that goes on. */
  stay: string;
  go: string;
  goKey: string;
  pending: boolean;
  answer: (go: boolean) => void;
}

/** Asks once whether something with consequences is meant, in the place of what else could be done. */
export function Confirm({ question, meaning, stay, go, goKey, pending, answer }: ConfirmProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div class="actions" role="alertdialog" aria-labelledby="asked" aria-describedby="asked-meaning">
      <div class="meaning">
        <h2 id="asked">{question}</h2>
        <p id="asked-meaning">{meaning}</p>
      </div>
      <button ref={keep} type="button" class="button" onClick={() => answer(false)}>
        {stay} <kbd class="kbd">Esc</kbd>
      </button>
      <button type="button" class="button button-primary next" disabled={pending} aria-keyshortcuts={goKey} onClick={() => answer(true)}>
        {go} <kbd class="kbd">{goKey}</kbd>
      </button>
    </div>
  );
}
