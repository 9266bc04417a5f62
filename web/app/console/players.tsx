import { useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import type { HostLive, HostSnapshot, Participant, Refusal, Room } from "../lib/protocol";
import { points } from "../lib/words";
import { Choose } from "./choose";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import { PlayerRow, type RowMode } from "./player-row";
import { refusalsOf } from "./refusals";
import { Removed } from "./removed";
import type { Drive } from "./use-drive";
import { walk } from "./walk";

interface View {
  id: string;
  label: string;
  /** Who is listed. */
  has: (participant: Participant) => boolean;
}

const everyone: View = { id: "all", label: t("All"), has: () => true };
const waiting: View = { id: "waiting", label: t("To answer"), has: (participant) => !participant.answered && participant.via !== "away" };
const connected: View = { id: "socket", label: t("Live"), has: (participant) => participant.via === "socket" };
const polling: View = { id: "poll", label: t("Polling"), has: (participant) => participant.via === "poll" };
const away: View = { id: "away", label: t("Away"), has: (participant) => participant.via === "away" };

interface PlayersProps {
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  room: Room | undefined;
  drive: Drive;
  /** Moves a participant to another phone. */
  move: (participant: Participant) => void;
}

/** Who is in, how they are connected and who has answered, in order of joining; or the standings; or several to be chosen. */
export function Players({ snapshot, live, room, drive, move }: PlayersProps) {
  const [choice, choose] = useState<string>();
  const [choosing, setChoosing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = choice ?? (snapshot.phase === "finished" ? "standings" : everyone.id);
  const standings = chosen === "standings";
  const participants = live?.participants ?? [];
  const mayChoose = participants.length > 0 && snapshot.commands?.includes("shutOut") === true;
  const leave = () => heading.current?.focus(); // and no button: Space is the next step
  const done = () => {
    setChoosing(false);
    leave();
  };
  const toPhone = (participant: Participant) => {
    leave(); // the dialog gives back the focus that it finds
    move(participant);
  };
  return (
    <section class="card players" aria-labelledby="players">
      <div class="players-top">
        <h2 ref={heading} id="players" tabIndex={-1}>
          {t("Players")}
        </h2>
        {mayChoose && (
          <button type="button" class="chip" aria-pressed={choosing} aria-keyshortcuts={keyOf("several")} onClick={() => (choosing ? done() : setChoosing(true))}>
            {t("Choose several")} <Kbd of="several" />
          </button>
        )}
        <button
          type="button"
          class="chip"
          aria-pressed={standings && !choosing}
          onClick={() => {
            setChoosing(false);
            choose(standings ? everyone.id : "standings");
          }}
        >
          {t("Standings")}
        </button>
      </div>
      {choosing && mayChoose ? (
        <Choose participants={participants} doorsLocked={snapshot.doorsLocked} drive={drive} done={done} />
      ) : (
        <Seen {...{ snapshot, participants, room, drive, leave, chosen, choose }} move={toPhone} />
      )}
    </section>
  );
}

interface SeenProps extends Omit<PlayersProps, "live"> {
  participants: Participant[];
  leave: () => void;
  /** What is shown: a view's id, or the standings. */
  chosen: string;
  choose: (id: string) => void;
}

function Seen({ snapshot, participants, room, drive, move, leave, chosen, choose }: SeenProps) {
  const asking = snapshot.phase === "open";
  const refusals = refusalsOf(room);
  const slowedDown: View = { id: "slowed", label: t("Slowed"), has: (participant) => refusals.has(participant.id) };
  const views = [everyone, ...(asking ? [waiting] : []), connected, polling, away, ...(participants.some(slowedDown.has) ? [slowedDown] : [])];
  const view = views.find((candidate) => candidate.id === chosen) ?? everyone;
  const standings = chosen === "standings";
  const { removed = [] } = snapshot;
  if (chosen === "removed" && removed.length > 0) {
    return (
      <>
        <Views views={views} participants={participants} shown="removed" removed={removed.length} choose={choose} />
        <Removed removed={removed} drive={drive} />
      </>
    );
  }
  return (
    <>
      <Views views={views} participants={participants} shown={standings ? undefined : view} removed={removed.length} choose={choose} />
      {standings ? (
        <Ranking snapshot={snapshot} />
      ) : (
        <List
          participants={participants.filter(view.has)}
          refusals={refusals}
          asking={asking}
          leave={leave}
          drive={drive}
          move={snapshot.phase === "finished" ? undefined : move}
          nobody={nobody(view, participants.length)}
        />
      )}
    </>
  );
}

interface ViewsProps {
  views: readonly View[];
  participants: Participant[];
  /** Which of them is shown, if one is. */
  shown: View | "removed" | undefined;
  /** How many were removed. */
  removed: number;
  choose: (id: string) => void;
}

function Views({ views, participants, shown, removed, choose }: ViewsProps) {
  return (
    <div class="views" role="group" aria-label={t("Show")}>
      {views.map((view) => (
        <button key={view.id} type="button" class="chip" aria-pressed={view === shown} onClick={() => choose(view.id)}>
          {view.label} <strong>{participants.filter(view.has).length}</strong>
        </button>
      ))}
      {removed > 0 && (
        <button type="button" class="chip" aria-pressed={shown === "removed"} onClick={() => choose("removed")}>
          {t("Removed")} <strong>{removed}</strong>
        </button>
      )}
    </div>
  );
}

function nobody(view: View, joined: number): string {
  if (joined === 0) return t("Nobody is in yet.");
  if (view === connected) return t("Nobody.");
  return view === waiting ? t("Everybody here has answered.") : t("Nobody, and that is good.");
}

interface ListProps {
  participants: Participant[];
  /** Whom a limit has asked to slow down, by id. */
  refusals: ReadonlyMap<string, readonly Refusal[]>;
  asking: boolean;
  leave: () => void;
  drive: Drive;
  move: ((participant: Participant) => void) | undefined;
  nobody: string;
}

function List({ participants, refusals, asking, leave, drive, move, nobody }: ListProps) {
  const [open, setOpen] = useState<{ id: string; mode: RowMode }>();
  if (participants.length === 0) return <p class="aside">{nobody}</p>;
  return (
    <ul class="rows" onKeyDown={(event) => walk(event, ".who")}>
      {participants.map((participant) => (
        <PlayerRow
          key={participant.id}
          participant={participant}
          refused={refusals.get(participant.id) ?? []}
          asking={asking}
          mode={open?.id === participant.id ? open.mode : "shut"}
          setMode={(mode) => setOpen({ id: participant.id, mode })}
          leave={leave}
          drive={drive}
          move={move && (() => move(participant))}
        />
      ))}
    </ul>
  );
}

function Ranking({ snapshot }: { snapshot: HostSnapshot }) {
  const standings = snapshot.standings ?? [];
  if (standings.length === 0) return <p class="aside">{t("No points yet.")}</p>;
  return (
    <ol class="rows ranking" tabIndex={0} aria-label={t("Standings")}>
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
