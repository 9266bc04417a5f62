import { useEffect, useRef } from "preact/hooks";
import type { Problem } from "../lib/protocol";

/** Asks for another code after one that leads nowhere. */
export function CodeForm({ code, problem }: { code: string; problem: Problem }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const go = (event: Event) => {
    event.preventDefault();
    const typed = input.current!.value.replace(/[^\p{L}\p{N}]/gu, "");
    if (typed) location.assign(`/j/${encodeURIComponent(typed)}`);
  };
  return (
    <form class="join-form" onSubmit={go}>
      <div class="field">
        <label for="code">Code on the big screen</label>
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
          aria-invalid="true"
          aria-describedby="code-problem"
        />
        <p id="code-problem" class="field-problem" role="alert">
          {problem.detail ?? problem.title}
        </p>
      </div>
      <button class="button button-primary button-large">Go on</button>
    </form>
  );
}
