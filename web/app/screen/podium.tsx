import { useRef } from "preact/hooks";
import { t } from "../lib/language";
import type { ScreenSnapshot, Standing } from "../lib/protocol";
import { points, pointsLong } from "../lib/words";
import { useFit } from "./fit";
import { Name } from "./name";

/** The end of the evening: a step for each of the first three ranks, and the others of the first ten. */
export function Podium({ snapshot }: { snapshot: ScreenSnapshot }) {
  const standings = snapshot.standings ?? [];
  const others = standings.filter((standing) => standing.rank > 3);
  const more = (snapshot.participants ?? 0) - standings.length;
  if (standings.length === 0) {
    return (
      <div class="podium">
        <p class="nobody">{t("That was the quiz. Thank you for coming!")}</p>
      </div>
    );
  }
  return (
    <div class="podium" data-others={others.length > 0 ? "" : undefined}>
      <section class="steps">
        {[1, 2, 3]
          .map((rank) => ({ rank, on: standings.filter((standing) => standing.rank === rank) }))
          .filter(({ on }) => on.length > 0)
          .map((step) => (
            <Step key={step.rank} {...step} content={JSON.stringify(standings)} />
          ))}
      </section>
      {others.length > 0 && (
        <section class="others">
          <ol>
            {others.map((standing) => (
              <li key={standing.name}>
                <span class="rank">{standing.rank}</span>
                <Name name={standing.name} />
                <span class="points">{points(standing.points)}</span>
              </li>
            ))}
          </ol>
          {more > 0 && <p class="more">{t({ one: "and {n} player more. Thank you all!", other: "and {n} players more. Thank you all!" }, { n: more })}</p>
}
        </section>
      )}
    </div>
  );
}

interface StepProps {
  rank: number;
  on: Standing[];
  /** Of all steps: names are no larger than those of the step above. */
  content: string;
}

function Step({ rank, on, content }: StepProps) {
  const box = useRef<HTMLDivElement>(null);
  useFit(box, { min: 0.3, max: on.length > 1 ? 1 : 1.3, whole: 0.7, below: winnersAbove }, content);
  return (
    <div class="step" data-rank={rank}>
      <div class="winners fit" ref={box}>
        <ul>
          {on.map(({ name }) => (
            <li key={name} data-fit>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <p class="block">
        <span class="rank">{rank}</span>
        <span class="points">{pointsLong(on[0]?.points ?? 0)}</span>
      </p>
    </div>
  );
}

function winnersAbove(box: HTMLElement): HTMLElement | null | undefined {
  return box.parentElement?.previousElementSibling?.querySelector(".winners");
}
