import { Announcement } from "../lib/announce";
import { t } from "../lib/language";
import type { HostSnapshot, Room } from "../lib/protocol";
import { joinHost } from "../lib/words";
import { BigScreen } from "./big-screen";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import { type Allowed, Places } from "./places";
import { queueing, refusalWords, waitWords } from "./refusals";
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
    <section class="card room" aria-label={t("Room")}>
      <div class="join">
        <img class="qr" src={`/j/${joinCode}/qr.svg`} alt={t("QR code of {url}", { url: joinURL })} />
        <div>
          <p class="code">{joinCode}</p>
          <p class="address">{joinHost(joinURL)}</p>
          <BigScreen screenURL={screenURL} drive={drive} />
        </div>
      </div>
      <p class="fact">
        {doorsLocked ? <strong class="locked">{t("The doors are locked")}</strong> : <span>{t("The doors are open")}</span>}
        <span class="fact-buttons">
          {doorsLocked && (
            <button type="button" class="button button-small" aria-keyshortcuts={keyOf("letIn")} onClick={letIn}>
              {t("Let one in")} <Kbd of="letIn" />
            </button>
          )}
          <button type="button" class="button button-small" aria-keyshortcuts={keyOf("doors")} onClick={() => take(doorsLocked ? "unlockDoors" : "lockDoors")}>
            {doorsLocked ? t("Unlock") : t("Lock")} <Kbd of="doors" />
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
          {t({ one: "{used} of {n} join in the last minute", other: "{used} of {n} joins in the last minute" }, { n: joins.of, used: joins.used })}
        </p>
      )}
      {busy && (
        <p class="aside tabular">
          {t({ one: "{used} of {n} request in the last minute", other: "{used} of {n} requests in the last minute" }, { n: requests.of, used: requests.used })}
        </p>
      )}
      {latest && (
        <ul class="refused" tabIndex={0} aria-label={t("Asked to wait, in the last five minutes")}>
          {refused.map((refusal) => (
            <li key={`${refusal.limiter} ${refusal.participant}`}>{refusalWords(refusal)}</li>
          ))}
        </ul>
      )}
      {queueing(room) && !doorsLocked && <p class="aside">{t("Strangers among them? Lock the doors.")}</p>}
      <Announcement text={latest ? waitWords(latest) : ""} />
    </>
  );
}
