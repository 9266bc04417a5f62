import { useEffect, useRef, useState } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { Problem } from "../lib/protocol";
import { useSlow } from "../lib/use-slow";
import { typedName, type WayIn } from "./join-session";
import { JoinWait } from "./join-wait";
import { useJoining } from "./use-joining";

/** What the server would say, without asking it. */
const nameless: Problem = { type: "invalid", title: t("Type a name, so that the room knows who you are."), status: 422, field: "name" };

interface NameFormProps {
  way: WayIn;
  onJoined: (session: string) => void;
  /** No name leads in by this code. */
  onNoWay: (problem: Problem) => void;
}

export function NameForm({ way, onJoined, onNoWay }: NameFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const refused = (problem: Problem) => {
    if (/\/(unknown-code|doors-locked)$/.test(problem.type)) return onNoWay(problem);
    setProblem(problem);
    input.current?.focus();
  };
  const { activity, join: tryToJoin } = useJoining(way, onJoined, refused);
  const slow = useSlow(activity.kind === "joining");
  useEffect(() => input.current?.select(), []);

  const join = () => {
    const name = input.current!.value.trim();
    if (!name) return refused(nameless);
    setProblem(undefined);
    void tryToJoin(name);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (activity.kind === "idle") join();
  };
  const take = (suggestion: string) => {
    input.current!.value = suggestion;
    join();
  };
  const wrongName = problem?.field === "name";

  return (
    <form class="join-form" onSubmit={submit}>
      <div class="field">
        <label for="name">{t("Your name, or your team’s")}</label>
        <input
          ref={input}
          id="name"
          class="input"
          defaultValue={typedName()}
          dir="auto"
          autoCapitalize="words"
          autoComplete="off"
          spellcheck={false}
          enterKeyHint="go"
          maxLength={96}
          readOnly={activity.kind !== "idle"}
          aria-invalid={wrongName ? "true" : undefined}
          aria-describedby={problem ? "join-problem" : undefined}
          onInput={() => setProblem(undefined)}
        />
        {problem && (
          <p id="join-problem" class={wrongName ? "field-problem" : "notice"} role="alert">
            {problem.detail ?? problem.title}
          </p>
        )}
        {problem?.suggestion && (
          <button type="button" class="button" onClick={() => take(problem.suggestion!)}>
            <span>{rich("Use {name}", { name: <bdi>{problem.suggestion}</bdi> })}</span>
          </button>
        )}
      </div>
      <button class="button button-primary button-large" aria-disabled={activity.kind !== "idle"}>
        {slow ? t("Joining…") : problem && !wrongName ? t("Try again") : t("Join")}
      </button>
      <JoinWait activity={activity} keeps={t("Your name is kept, and this page tries again by itself.")} over={join} />
    </form>
  );
}
