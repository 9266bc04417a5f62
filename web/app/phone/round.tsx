import { useContext } from "preact/hooks";
import { t } from "../lib/language";
import type { Personal, Snapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { roundRules } from "../lib/rules";
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
  const language = useContext(QuizLanguage);
  if (!round) return null;
  const rules = roundRules(round);
  return (
    <main class="scene round">
      <p class="eyebrow">{t("Round {number} of {all}", { number: round.number, all: rounds })}</p>
      <SceneHeading of={`round ${round.number}`} lang={language}>
        {round.title}
      </SceneHeading>
      {round.introduction && (
        <p class="introduction" dir="auto" lang={language}>
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
        <p>
          {t(
            { one: "{n} question is coming up, here and on the big screen.", other: "{n} questions are coming up, here and on the big screen." },
            { n: round.questions },
          )}
        </p>
      </div>
    </main>
  );
}
