import type { ComponentChildren } from "preact";
import { useContext, useRef } from "preact/hooks";
import { Check } from "../lib/icons";
import { t } from "../lib/language";
import { QuizLanguage } from "../lib/quiz-language";

interface TypedAnswerProps {
  /** A number is asked for: a keyboard of digits, and a way to a minus, which those lack. */
  number: boolean;
  unit: string | undefined;
  text: string;
  editable: boolean;
  /** The last try was no answer: the line below says why. */
  refused: boolean;
  /** What the button says. */
  label: string;
  /** What else there is to decide before it is sent. */
  children: ComponentChildren;
  onType: (text: string) => void;
  onSend: (text: string) => void;
}

export function TypedAnswer({ number, unit, text, editable, refused, label, children, onType, onSend }: TypedAnswerProps) {
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
        {unit ? t("Your answer, in {unit}", { unit }) : t("Your answer")}
      </label>
      <div class="typed-field">
        {number && editable && (
          <button type="button" class="button" aria-label={t("Minus")} aria-pressed={/^[-−]/.test(text)} onClick={turn}>
            ±
          </button>
        )}
        <input
          ref={input}
          id="typed"
          class="input typed-input"
          dir="auto"
          placeholder={!editable ? "" : number ? t("Type a number") : t("Type your answer")}
          value={text}
          readOnly={!editable}
          inputMode={number ? "decimal" : "text"}
          autoComplete="off"
          autoCapitalize="sentences"
          spellcheck={false}
          enterKeyHint="send"
          maxLength={200}
          aria-invalid={refused}
          aria-describedby="answer-line"
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
          {t("The right answer")}
        </dt>
        <dd>
          <bdi lang={useContext(QuizLanguage)}>{right}</bdi>
        </dd>
        {leeway && <dd class="leeway">{leeway}</dd>}
      </div>
      {given !== undefined && (
        <div>
          <dt>{t("You wrote")}</dt>
          <dd>
            <bdi>
              {given} {unit}
            </bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}
