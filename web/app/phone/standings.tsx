import { rich, t } from "../lib/language";
import type { Personal, Snapshot, Standing } from "../lib/protocol";
import { ordinal, players, points, pointsLong } from "../lib/words";
import { SceneHeading } from "./scene-heading";

/** The rank in words. Until the phone's own part of the news is here, only what is shown. */
function Place({ personal: { rank, participants, points }, final }: { personal: Personal; final: boolean }) {
  const words = rank === undefined ? t("The standings") : final && rank === 1 ? t("You won!") : t("You’re {place}", { place: ordinal(rank) });
  const sum = pointsLong(points);
  return (
    <div class="place">
      <SceneHeading of={final ? "finished" : "standings"}>{words}</SceneHeading>
      <p>
        {rank === undefined || participants === undefined
          ? t("with {points}", { points: sum })
          : t("of {players}, with {points}", { players: players(participants), points: sum })}
      </p>
    </div>
  );
}

export function StandingsScene({ shared, personal }: { shared: Snapshot; personal: Personal }) {
  return (
    <main class="scene standings">
      <Place personal={personal} final={false} />
      <Table standings={shared.standings ?? []} personal={personal} below={0} />
    </main>
  );
}

/** The standings below the first few, and the phone's own row at the end if it is not among them all. */
function Table({ standings, personal, below }: { standings: Standing[]; personal: Personal; below: number }) {
  const listed = standings.some(({ name }) => name === personal.name);
  return (
    <ol>
      {standings.slice(below).map((standing) => (
        <Row standing={standing} mine={standing.name === personal.name} />
      ))}
      {!listed && personal.rank !== undefined && (
        <Row standing={{ name: personal.name, points: personal.points, rank: personal.rank }} mine />
      )}
    </ol>
  );
}

function Row({ standing: { name, points: sum, rank }, mine }: { standing: Standing; mine: boolean }) {
  return (
    <li class="row" aria-current={mine ? "true" : undefined}>
      <span class="rank tabular">{rank}</span>
      <span class="name">
        <bdi>{name}</bdi>
      </span>
      {mine && <span class="you">{t("you")}</span>}
      <span class="sum tabular">{points(sum)}</span>
    </li>
  );
}

export function Finished({ shared, personal }: { shared: Snapshot; personal: Personal }) {
  const standings = shared.standings ?? [];
  const podium = standings.filter(({ rank }) => rank <= 3).slice(0, 3);
  return (
    <main class="scene finished">
      <p class="eyebrow">{rich("{title} has ended", { title: <bdi lang={shared.language}>{shared.title}</bdi> })}</p>
      <Place personal={personal} final />
      <ol class="podium">
        {podium.map(({ name, points: sum, rank }) => (
          <li class="step" data-rank={rank}>
            <bdi class="name">{name}</bdi>
            <span class="sum">{pointsLong(sum)}</span>
            <span class="rank">{ordinal(rank)}</span>
          </li>
        ))}
      </ol>
      <Table standings={standings} personal={personal} below={podium.length} />
      <p class="next">{t("Thank you for playing!")}</p>
    </main>
  );
}
