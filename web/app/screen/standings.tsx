import { useRef } from "preact/hooks";
import { Down, Up } from "../lib/icons";
import { t } from "../lib/language";
import type { ScreenSnapshot, Standing } from "../lib/protocol";
import { points } from "../lib/words";
import { useMoves } from "./moves";
import { Name } from "./name";

/** The first ten, sliding from where they stood when standings were last shown. */
export function Standings({ snapshot }: { snapshot: ScreenSnapshot }) {
  const list = useRef<HTMLOListElement>(null);
  const standings = snapshot.standings ?? [];
  useMoves(list, `${snapshot.epoch} ${snapshot.version}`);
  return (
    <div class="standings">
      {standings.length === 0 && <p class="nobody">{t("Nobody is playing yet.")}</p>}
      <ol ref={list} style={{ "--rows": Math.max(standings.length, 5) }}>
        {standings.map((standing) => (
          <li key={standing.name} data-rank={standing.rank} data-was={standing.was}>
            <StandingRow standing={standing} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function StandingRow({ standing }: { standing: Standing }) {
  return (
    <>
      <span class="rank">{standing.rank}</span>
      <Name name={standing.name} />
      <Move standing={standing} />
      <span class="points">{points(standing.points)}</span>
    </>
  );
}

function Move({ standing: { rank, was } }: { standing: Standing }) {
  if (was === undefined || was === rank) return <span class="move" />;
  const up = was > rank;
  const places = Math.abs(was - rank);
  return (
    <span class="move" data-up={up ? "" : undefined} role="img" aria-label={up ? t("up {places}", { places }) : t("down {places}", { places })}>
      {up ? <Up /> : <Down />}
      {places}
    </span>
  );
}
