import { useState } from "preact/hooks";
import type { HostLive, HostSnapshot, Participant } from "../lib/protocol";
import { points } from "../lib/words";
import { PlayerRow, type RowMode } from "./player-row";
import type { Drive } from "./use-drive";

interface View {
  id: string;
  label: string;
  /** Who is listed. */
  has: (participant: Participant) => boolean;
}

const everyone: View = { id: "all", label: "All", has: () => true };
const waiting: View = { id: "waiting", label: "To answer", has: (participant) => !participant.answered && participant.via !== "away" };
const polling: View = { id: "poll", label: "Polling", has: (participant) => participant.via === "poll" };
const away: View = { id: "away", label: "Away", has: (participant) => participant.via === "away" };

interface PlayersProps {
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  drive: Drive;
}

/** Who is in, how they are connected and who has answered, in order of joining; or the standings. */
export function Players({ snapshot, live, drive }: PlayersProps) {
  const [choice, choose] = useState<string>();
  const chosen = choice ?? (snapshot.phase === "finished" ? "standings" : everyone.id);
  const asking = snapshot.phase === "open";
  const views = asking ? [everyone, waiting, polling, away] : [everyone, polling, away];
  const view = views.find((candidate) => candidate.id === chosen) ?? everyone;
  const participants = live?.participants ?? [];
  const standings = chosen === "standings";
  return (
    <section class="card players" aria-labelledby="players">
      <div class="players-top">
        <h2 id="players">Players</h2>
        <button type="button" class="chip" aria-pressed={standings} onClick={() => choose(standings ? everyone.id : "standings")}>
          Standings
        </button>
      </div>
      <div class="views" role="group" aria-label="Show">
        {views.map((candidate) => (
          <button
            key={candidate.id}
            type="button"
            class="chip"
            aria-pressed={!standings && candidate === view}
            onClick={() => choose(candidate.id)}
          >
            {candidate.label} <strong>{participants.filter(candidate.has).length}</strong>
          </button>
        ))}
      </div>
      {standings ? (
        <Ranking snapshot={snapshot} />
      ) : (
        <List participants={participants.filter(view.has)} asking={asking} drive={drive} nobody={nobody(view, participants.length)} />
      )}
    </section>
  );
}

function nobody(view: View, joined: number): string {
  if (joined === 0) return "Nobody is in yet.";
  return view === waiting ? "Everybody here has answered." : "Nobody, and that is good.";
}

interface ListProps {
  participants: Participant[];
  asking: boolean;
  drive: Drive;
  nobody: string;
}

function List({ participants, asking, drive, nobody }: ListProps) {
  const [open, setOpen] = useState<{ id: string; mode: RowMode }>();
  if (participants.length === 0) return <p class="aside">{nobody}</p>;
  return (
    <ul class="rows" onKeyDown={walk}>
      {participants.map((participant) => (
        <PlayerRow
          key={participant.id}
          participant={participant}
          asking={asking}
          mode={open?.id === participant.id ? open.mode : "shut"}
          setMode={(mode) => setOpen({ id: participant.id, mode })}
          drive={drive}
        />
      ))}
    </ul>
  );
}

/** The arrow keys walk from name to name. */
function walk(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const list = event.currentTarget as HTMLElement;
  const names = [...list.querySelectorAll<HTMLElement>(".who")];
  const at = names.indexOf(event.target as HTMLElement);
  if (step === 0 || at < 0) return;
  event.preventDefault();
  names[at + step]?.focus();
}

function Ranking({ snapshot }: { snapshot: HostSnapshot }) {
  const standings = snapshot.standings ?? [];
  if (standings.length === 0) return <p class="aside">No points yet.</p>;
  return (
    <ol class="rows ranking" tabIndex={0} aria-label="Standings">
      {standings.map((standing) => (
        <li key={standing.name}>
          <span class="rank">{standing.rank}</span>
          <bdi>{standing.name}</bdi>
          <span class="points">{points(standing.points)}</span>
        </li>
      ))}
    </ol>
  );
}
