import { Announcement } from "../lib/announce";
import type { HostSnapshot, Room } from "../lib/protocol";
import { grouped, joinHost } from "../lib/words";
import { BigScreen } from "./big-screen";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import { type Allowed, Places } from "./places";
import { queueing, told } from "./refusals";
import type { KeyCommand } from "./steps";
import type { Drive } from "./use-drive";

interface RoomCardProps {
  snapshot: HostSnapshot;
  room: Room | undefined;
  /** How many are in. */
  joined: number;
  screenURL: string;
  allowed: Allowed;
  drive: Drive;
  take: (command: KeyCommand) => void;
  /** Gives one phone a way in. */
  letIn: () => void;
}

/** The way in for players and to the television, how full the room is, and what its limits had to refuse. */
export function RoomCard({ snapshot, room, joined, screenURL, allowed, drive, take, letIn }: RoomCardProps) {
  const { joinCode, joinURL, doorsLocked, capacity } = snapshot;
  return (
    <section class="card room" aria-label="Room">
      <div class="join">
        <img class="qr" src={`/j/${joinCode}/qr.svg`} alt={`QR code of ${joinURL}`} />
        <div>
          <p class="code">{joinCode}</p>
          <p class="address">{joinHost(joinURL)}</p>
          <BigScreen screenURL={screenURL} drive={drive} />
        </div>
      </div>
      <p class="fact">
        {doorsLocked ? <strong class="locked">The doors are locked</strong> : <span>The doors are open</span>}
        <span class="fact-buttons">
          {doorsLocked && (
            <button type="button" class="button button-small" aria-keyshortcuts={keyOf("letIn")} onClick={letIn}>
              Let one in <Kbd of="letIn" />
            </button>
          )}
          <button type="button" class="button button-small" aria-keyshortcuts={keyOf("doors")} onClick={() => take(doorsLocked ? "unlockDoors" : "lockDoors")}>
            {doorsLocked ? "Unlock" : "Lock"} <Kbd of="doors" />
          </button>
        </span>
      </p>
      <Places joined={joined} capacity={capacity} doorsLocked={doorsLocked} allowed={allowed} drive={drive} />
      {room && <Limits room={room} doorsLocked={doorsLocked} />}
    </section>
  );
}

/** How the room stands with its limits. Nothing, as long as nothing comes near them. */
function Limits({ room, doorsLocked }: { room: Room; doorsLocked: boolean }) {
  const { joins, requests, refused } = room;
  const [latest] = refused;
  const busy = requests && requests.used > requests.of / 2;
  return (
    <>
      {joins && joins.used > 0 && (
        <p class="aside tabular">
          {grouped(joins.used)} of {grouped(joins.of)} joins in the last minute
        </p>
      )}
      {busy && (
        <p class="aside tabular">
          {grouped(requests.used)} of {grouped(requests.of)} requests in the last minute
        </p>
      )}
      {latest && (
        <ul class="refused" tabIndex={0} aria-label="Asked to wait, in the last five minutes">
          {refused.map((refusal) => {
            const { who, what } = told(refusal);
            return (
              <li key={`${refusal.limiter} ${refusal.participant}`}>
                {who && <bdi>{who}</bdi>} {what}
              </li>
            );
          })}
        </ul>
      )}
      {queueing(room) && !doorsLocked && <p class="aside">Strangers among them? Lock the doors.</p>}
      <Announcement text={latest ? `${latest.name ?? "Phones on the way in"} had to wait` : ""} />
    </>
  );
}
