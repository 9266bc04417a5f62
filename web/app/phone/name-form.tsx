import { useEffect, useRef, useState } from "preact/hooks";
import { useCountdown } from "../lib/countdown";
import type { Problem } from "../lib/protocol";
import { backoff, retryWait } from "../lib/schedule";
import { joinSession } from "./join-session";

/** What the form is doing: nothing, asking the server, or waiting until a time to ask again by itself. */
type Activity = { kind: "idle" } | { kind: "joining" } | { kind: "waiting"; until: number; reason: string };

interface NameFormProps {
  code: string;
  onJoined: (session: string) => void;
  /** The code leads nowhere any more. */
  onNoSession: (problem: Problem) => void;
}

export function NameForm({ code, onJoined, onNoSession }: NameFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const [activity, setActivity] = useState<Activity>({ kind: "idle" });
  const attempt = useRef(0);
  useEffect(() => input.current?.focus(), []);

  const join = async () => {
    const name = input.current!.value.trim();
    if (!name) return input.current!.focus();
    setProblem(undefined);
    setActivity({ kind: "joining" });
    const joining = await joinSession(code, name);
    if (joining === "unreachable") {
      const until = Date.now() + 1_000 + backoff(attempt.current++, Math.random);
      return setActivity({ kind: "waiting", until, reason: "The WiFi is struggling." });
    }
    if ("wait" in joining) {
      const until = Date.now() + retryWait(joining.wait, attempt.current++, Math.random);
      return setActivity({ kind: "waiting", until, reason: "Lots of people are coming in at once." });
    }
    attempt.current = 0;
    setActivity({ kind: "idle" });
    if ("session" in joining) return onJoined(joining.session);
    if (joining.problem.type.endsWith("/unknown-code")) return onNoSession(joining.problem);
    setProblem(joining.problem);
    input.current?.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (activity.kind === "idle") void join();
  };
  const take = (suggestion: string) => {
    input.current!.value = suggestion;
    void join();
  };

  return (
    <form class="join-form" onSubmit={submit}>
      <div class="field">
        <label for="name">Your name, or your team’s</label>
        <input
          ref={input}
          id="name"
          class="input name-input"
          dir="auto"
          autoCapitalize="words"
          autoComplete="off"
          spellcheck={false}
          enterKeyHint="go"
          maxLength={96}
          readOnly={activity.kind !== "idle"}
          aria-invalid={problem ? "true" : undefined}
          aria-describedby={problem ? "name-problem" : undefined}
          onInput={() => setProblem(undefined)}
        />
        {problem && (
          <p id="name-problem" class="field-problem" role="alert">
            {problem.detail ?? problem.title}
          </p>
        )}
        {problem?.suggestion && (
          <button type="button" class="button" onClick={() => take(problem.suggestion!)}>
            <span>
              Use <bdi>{problem.suggestion}</bdi>
            </span>
          </button>
        )}
      </div>
      <button class="button button-primary button-large" aria-disabled={activity.kind !== "idle"}>
        {activity.kind === "joining" ? "Joining…" : "Join"}
      </button>
      <div class="join-wait" role="status">
        {activity.kind === "waiting" && <Wait until={activity.until} reason={activity.reason} over={join} />}
      </div>
    </form>
  );
}

/** Counts down to the next try, and makes it. */
function Wait({ until, reason, over }: { until: number; reason: string; over: () => void }) {
  const left = useCountdown(until, Date.now);
  useEffect(() => {
    if (left === 0) over();
  }, [left === 0]);
  return (
    <>
      <p>{reason} Your name is kept, and this page tries again by itself.</p>
      <p class="tabular" aria-hidden="true">
        Next try in {Math.ceil(left / 1000)} s
      </p>
    </>
  );
}
