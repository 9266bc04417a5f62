import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Check } from "../lib/icons";

interface TypedAnswerProps {
  /** A number is asked for: a keyboard of digits, and a way to a minus, which those lack. */
  number: boolean;
  unit: string | undefined;
  text: string;
  editable: boolean;
  /** What the button says. */
  label: string;
  /** What else there is to decide before it is sent. */
  children: ComponentChildren;
  onType: (text: string) => void;
  onSend: (text: string) => void;
}

export function TypedAnswer({ number, unit, text, editable, label, children, onType, onSend }: TypedAnswerProps) {
  const input = useRef<HTMLInputElement>(null);
  const send = (event: Event) => {
    event.preventDefault();
    const answer = text.trim();
    if (!editable) return;
    if (!answer) return input.current?.focus();
    input.current?.blur(); // the keyboard makes room for what comes
    onSend(answer);
  };
  const turn = () => {
    onType(/^[-−]/.test(text) ? text.slice(1) : `−${text}`);
    input.current?.focus();
  };
  return (
    <form class="typed" onSubmit={send}>
      <label class="visually-hidden" for="typed">
        Your answer{unit && `, in ${unit}`}
      </label>
      <div class="typed-field">
        {number && editable && (
          <button type="button" class="button" aria-label="Minus" aria-pressed={/^[-−]/.test(text)} onClick={turn}>
            ±
          </button>
        )}
        <input
          ref={input}
          id="typed"
          class="input typed-input"
          dir="auto"
          placeholder={!editable ? "" : number ? "Type a number" : "Type your answer"}
          value={text}
          readOnly={!editable}
          inputMode={number ? "decimal" : "text"}
          autoComplete="off"
          autoCapitalize="sentences"
          spellcheck={false}
          enterKeyHint="send"
          maxLength={200}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        {unit && (
          <span class="unit" aria-hidden="true">
            {unit}
          </span>
        )}
      </div>
      {children}
      {editable && <button class="button button-primary button-large">{label}</button>}
    </form>
  );
}

interface TypedRevealedProps {
  right: string;
  /** What else counts, for a number. */
  leeway: string | undefined;
  given: string | undefined;
  unit: string | undefined;
}

export function TypedRevealed({ right, leeway, given, unit }: TypedRevealedProps) {
  return (
    <dl class="typed-revealed">
      <div data-verdict="right">
        <dt>
          <Check />
          The right answer
        </dt>
        <dd>
          <bdi>{right}</bdi>
        </dd>
        {leeway && <dd class="leeway">{leeway}</dd>}
      </div>
      {given !== undefined && (
        <div>
          <dt>You wrote</dt>
          <dd>
            <bdi>{given}</bdi> {unit}
          </dd>
        </div>
      )}
    </dl>
  );
}
