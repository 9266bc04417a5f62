import { useRef, useState } from "preact/hooks";
import { Check } from "../lib/icons";
import { forget, keep, kept } from "../lib/storage";

interface TypedAnswerProps {
  /** The question's id: what is typed is kept under it until it is sent. */
  question: string;
  given: string | undefined;
  editable: boolean;
  /** From the reveal on: the right answer. */
  right: string | undefined;
  onSend: (text: string) => void;
}

export function TypedAnswer({ question, given, editable, right, onSend }: TypedAnswerProps) {
  const draft = `draft:${location.pathname}:${question}`;
  const [text, setText] = useState(() => kept(draft) ?? "");
  const input = useRef<HTMLInputElement>(null);
  const type = (value: string) => {
    setText(value);
    keep(draft, value);
  };
  const send = (event: Event) => {
    event.preventDefault();
    const answer = text.trim();
    if (!editable) return;
    if (!answer) return input.current?.focus();
    forget(draft);
    input.current?.blur(); // the keyboard makes room for what comes
    onSend(answer);
  };
  if (right !== undefined) return <Revealed right={right} given={given} />;
  return (
    <form class="typed" onSubmit={send}>
      <label class="visually-hidden" for="typed">
        Your answer
      </label>
      <input
        ref={input}
        id="typed"
        class="input typed-input"
        dir="auto"
        placeholder={editable ? "Type your answer" : ""}
        value={given ?? text}
        readOnly={!editable}
        autoComplete="off"
        autoCapitalize="sentences"
        spellcheck={false}
        enterKeyHint="send"
        maxLength={200}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {editable && <button class="button button-primary button-large">Send answer</button>}
    </form>
  );
}

function Revealed({ right, given }: { right: string; given: string | undefined }) {
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
      </div>
      {given !== undefined && (
        <div>
          <dt>You wrote</dt>
          <dd>
            <bdi>{given}</bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}
