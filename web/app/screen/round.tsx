import { useRef } from "preact/hooks";
import type { ScreenSnapshot } from "../lib/protocol";
import { plural } from "../lib/words";
import { useFit } from "./fit";

/** What the next round is about. */
export function RoundIntroduction({ snapshot: { round } }: { snapshot: ScreenSnapshot }) {
  const box = useRef<HTMLDivElement>(null);
  useFit(box, { min: 0.5, max: 1.6 }, JSON.stringify(round));
  if (!round) return null;
  return (
    <div class="introduction fit" ref={box}>
      <div>
        <h1 data-fit>
          <bdi>{round.title}</bdi>
        </h1>
        {round.introduction && (
          <p data-fit>
            <bdi>{round.introduction}</bdi>
          </p>
        )}
        <p class="how-many">{plural(round.questions, "question", "questions")}</p>
      </div>
    </div>
  );
}
