import type { Personal, Snapshot } from "../lib/protocol";
import { roundRules } from "../lib/rules";
import { plural } from "../lib/words";
import { JokerOffer } from "./joker";
import { PhoneMedia } from "./media";
import { SceneHeading } from "./scene-heading";

interface RoundProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
}

export function RoundIntroduction({ session, shared, personal }: RoundProps) {
  const { round, rounds } = shared;
  if (!round) return null;
  const rules = roundRules(round);
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
      {rules.length > 0 && (
        <ul class="rules">
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
      <PhoneMedia media={round.picture} />
      <div class="next">
        <JokerOffer session={session} shared={shared} personal={personal} />
        <p>{plural(round.questions, "question is", "questions are")} coming up, here and on the big screen.</p>
      </div>
    </main>
  );
}
