import { useContext, useRef } from "preact/hooks";
import { t } from "../lib/language";
import type { ScreenSnapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { roundRules } from "../lib/rules";
import { useFit } from "./fit";
import { StageMedia } from "./media";

/** What the next round is about, and what is special about it. */
export function RoundIntroduction({ snapshot: { round } }: { snapshot: ScreenSnapshot }) {
  const box = useRef<HTMLDivElement>(null);
  const language = useContext(QuizLanguage);
  useFit(box, { min: 0.4, max: 1.6 }, JSON.stringify(round));
  if (!round) return null;
  return (
    <div class="introduction" data-media={round.picture?.kind}>
      <div class="fit" ref={box}>
        <div>
          <h1 data-fit>
            <bdi lang={language}>{round.title}</bdi>
          </h1>
          {round.introduction && (
            <p data-fit>
              <bdi lang={language}>{round.introduction}</bdi>
            </p>
          )}
          <ul class="facts">
            <li class="how-many">{t({ one: "{n} question", other: "{n} questions" }, { n: round.questions })}</li>
            {roundRules(round).map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </div>
      </div>
      {round.picture && <StageMedia media={round.picture} playing={false} paused={false} fresh={false} />}
    </div>
  );
}
