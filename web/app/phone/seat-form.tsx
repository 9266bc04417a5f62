import { useState } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { Problem } from "../lib/protocol";
import type { WayIn } from "./join-session";
import { JoinWait } from "./join-wait";
import { useJoining } from "./use-joining";

interface SeatFormProps {
  way: WayIn;
  /** Of the player whose seat it is. */
  name: string;
  /** Whether this is to be one more phone of theirs, and not the one in place of another. */
  team: boolean;
  onJoined: (session: string) => void;
  onNoWay: (problem: Problem) => void;
}

/** Takes over a player's seat from another phone, or joins it as one more: who comes has a name already. */
export function SeatForm({ way, name, team, onJoined, onNoWay }: SeatFormProps) {
  const [problem, setProblem] = useState<Problem>();
  const refused = (problem: Problem) => (problem.type.endsWith("/unknown-code") ? onNoWay(problem) : setProblem(problem));
  const { activity, join } = useJoining(way, onJoined, refused);
  const go = () => void join(name);
  const submit = (event: Event) => {
    event.preventDefault();
    if (activity.kind === "idle") go();
  };
  return (
    <form class="join-form" onSubmit={submit}>
      <p>{team ? t("This phone joins the team, beside those it has already.") : t("Your name and your points come along. The phone you used before stops.")}</p>
      {problem && (
        <p class="notice" role="alert">
          {problem.detail ?? problem.title}
        </p>
      )}
      <button class="button button-primary button-large" aria-disabled={activity.kind !== "idle"}>
        <span>{team ? rich("Join {name}", { name: <bdi>{name}</bdi> }) : rich("Continue as {name}", { name: <bdi>{name}</bdi> })}</span>
      </button>
      <JoinWait activity={activity} keeps={t("Your place is kept, and this page tries again by itself.")} over={go} />
    </form>
  );
}
