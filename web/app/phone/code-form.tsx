import { useEffect, useRef } from "preact/hooks";
import { t } from "../lib/language";
import { lettersOf } from "./codes";

interface CodeFormProps {
  label: string;
  /** What was typed before, and why it leads nowhere. */
  code?: string;
  problem?: string;
}

/** Asks for a code: the one on the big screen or one from the host. The server knows which it is. */
export function CodeForm({ label, code, problem }: CodeFormProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const go = (event: Event) => {
    event.preventDefault();
    const typed = lettersOf(input.current!.value);
    if (typed) location.assign(`/j/${encodeURIComponent(typed)}`);
  };
  return (
    <form class="join-form" onSubmit={go}>
      <div class="field">
        <label for="code">{label}</label>
        <input
          ref={input}
          id="code"
          class="input code-input"
          defaultValue={code}
          autoCapitalize="characters"
          autoComplete="off"
          spellcheck={false}
          enterKeyHint="go"
          maxLength={20}
          aria-invalid={problem ? "true" : undefined}
          aria-describedby={problem ? "code-problem" : undefined}
        />
        {problem && (
          <p id="code-problem" class="field-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <button class="button button-primary button-large">{t("Go on")}</button>
    </form>
  );
}
