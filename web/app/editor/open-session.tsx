import { useState } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { ContentProblem } from "../lib/protocol";
import type { Draft, Place } from "./draft";
import { nameOf, placeOf } from "./problems";

interface OpenSessionProps {
  quiz: string;
  draft: Draft;
  problems: readonly ContentProblem[];
  /** Saves what is not saved yet, and reports what then stands in the way; undefined if it could not be saved. */
  settle: () => Promise<readonly ContentProblem[] | undefined>;
  go: (place: Place) => void;
}

/** Opens a session of the quiz, or says what to mend first. */
export function OpenSession({ quiz, draft, problems, settle, go }: OpenSessionProps) {
  const [explaining, explain] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const left = await settle();
    if (left?.length === 0) form.submit();
    else explain(true);
  };
  return (
    <form class="open-session" method="post" action={`/host/quizzes/${quiz}/sessions`} onSubmit={submit}>
      <button class="button button-primary" aria-expanded={explaining && problems.length > 0}>
        {t("Open a session")}
      </button>
      {explaining && problems.length > 0 && (
        <div class="to-mend" role="alert">
          <p>
            <strong>
              {t({ one: "{n} thing to mend before it can be played:", other: "{n} things to mend before it can be played:" }, { n: problems.length })}
            </strong>
          </p>
          <ul>
            {problems.map(({ path, detail }) => (
              <li key={path + detail}>
                <button type="button" class="item" onClick={() => go(placeOf(path))}>
                  {rich("{place}: {problem}", { place: <strong>{nameOf(draft, path)}</strong>, problem: detail })}
                </button>
              </li>
            ))}
          </ul>
          <button type="button" class="button button-small" onClick={() => explain(false)}>
            {t("Close")}
          </button>
        </div>
      )}
    </form>
  );
}
