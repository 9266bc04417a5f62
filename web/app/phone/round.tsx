import type { Snapshot } from "../lib/protocol";
import { plural } from "../lib/words";
import { SceneHeading } from "./scene-heading";

export function RoundIntroduction({ shared: { round, rounds } }: { shared: Snapshot }) {
  if (!round) return null;
  return (
    <main class="scene round">
      <p class="eyebrow">
        Round {round.number} of {rounds}
      </p>
      <SceneHeading of={`round ${round.number}`}>{round.title}</SceneHeading>
      {round.introduction && (
        <p class="introduction" dir="auto">
          {round.introduction}
        </p>
      )}
      <p class="next">{plural(round.questions, "question is", "questions are")} coming up, here and on the big screen.</p>
    </main>
  );
}
