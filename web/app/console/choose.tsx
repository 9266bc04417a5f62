import { useEffect, useRef, useState } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { Participant } from "../lib/protocol";
import { between, type Chosen, choose, found, ids, joinedAfter } from "./chosen";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import type { Drive } from "./use-drive";
import { walk } from "./walk";

interface ChooseProps {
  participants: readonly Participant[];
  doorsLocked: boolean;
  drive: Drive;
  done: () => void;
}

/** Chooses several players, to shut them out: by name, by one and all after, by a range (Shift), or one by one. */
export function Choose({ participants, doorsLocked, drive, done }: ChooseProps) {
  const [all, setAll] = useState<Chosen>(new Set());
  const [last, setLast] = useState<Participant>();
  const [sought, seek] = useState("");
  const [sure, setSure] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const remove = useRef<HTMLButtonElement>(null);
  useEffect(() => search.current?.focus(), []);

  const listed = found(participants, sought);
  const chosen = ids(participants).filter((id) => all.has(id)); // who has left meanwhile is not among them
  const later = last ? joinedAfter(participants, last.id) : [];
  const set = (some: readonly string[], on: boolean) => setAll(choose(all, some, on));
  const tick = (participant: Participant, on: boolean, range: boolean) => {
    set(range && last ? between(listed, last.id, participant.id) : [participant.id], on);
    setLast(participant);
  };
  const shutOut = async () => {
    const reply = await drive.run("shutOut", { participants: chosen });
    if (reply) done();
  };
  const keep = () => {
    setSure(false);
    requestAnimationFrame(() => remove.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (sure) keep();
    else done();
  };
  return (
    <div class="choosing" onKeyDown={onKeyDown}>
      <input
        ref={search}
        class="input"
        type="search"
        placeholder={t("Find a name")}
        aria-label={t("Find a name")}
        autocomplete="off"
        onInput={(event) => seek(event.currentTarget.value)}
      />
      <div class="views" role="group" aria-label={t("Choose")}>
        <button type="button" class="chip" disabled={listed.length === 0} onClick={() => set(ids(listed), true)}>
          {sought.trim() ? t("All found") : t("All")} <strong>{listed.length}</strong>
        </button>
        {last && (
          <button type="button" class="chip" disabled={later.length === 0} onClick={() => set(later, true)}>
            {rich("Joined after {name}", { name: <bdi>{last.name}</bdi> })} <strong>{later.length}</strong>
          </button>
        )}
        {chosen.length > 0 && (
          <button type="button" class="chip" onClick={() => setAll(new Set())}>
            {t("None")}
          </button>
        )}
      </div>
      <List listed={listed} chosen={all} tick={tick} />
      {sure ? (
        <Sure count={chosen.length} doorsLocked={doorsLocked} pending={drive.pending !== undefined} shutOut={shutOut} keep={keep} />
      ) : (
        <div class="choices">
          <button ref={remove} type="button" class="button button-small button-danger" disabled={chosen.length === 0} onClick={() => setSure(true)}>
            {chosen.length === 0 ? t("Tick whom to remove") : removal(chosen.length, doorsLocked)}
          </button>
          <button type="button" class="button button-small" onClick={done}>
            {t("Back")}
          </button>
        </div>
      )}
    </div>
  );
}

function removal(count: number, doorsLocked: boolean): string {
  return doorsLocked ? t("Remove {count}", { count }) : t("Lock the doors and remove {count}", { count });
}

interface ListProps {
  listed: readonly Participant[];
  chosen: Chosen;
  tick: (participant: Participant, on: boolean, range: boolean) => void;
}

function List({ listed, chosen, tick }: ListProps) {
  if (listed.length === 0) return <p class="aside rows">{t("Nobody is called that.")}</p>;
  return (
    <ul class="rows" onKeyDown={(event) => walk(event, "input")}>
      {listed.map((participant) => (
        <li key={participant.id}>
          <label class="pick">
            <input
              type="checkbox"
              checked={chosen.has(participant.id)}
              onClick={(event) => tick(participant, event.currentTarget.checked, event.shiftKey)}
            />
            <bdi>{participant.name}</bdi>
            {participant.via === "away" && <span class="via">{t("away")}</span>}
          </label>
        </li>
      ))}
    </ul>
  );
}

interface SureProps {
  count: number;
  doorsLocked: boolean;
  pending: boolean;
  shutOut: () => void;
  keep: () => void;
}

function Sure({ count, doorsLocked, pending, shutOut, keep }: SureProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const asked = doorsLocked ? t("Remove {count}?", { count }) : t("Lock the doors and remove {count}?", { count });
  return (
    <div class="choices" role="group" aria-label={asked}>
      <p>
        <strong>{asked}</strong> {t("Their phones are told, and their points leave the standings. Everybody else plays on.")}
      </p>
      <button type="button" class="button button-small button-danger" disabled={pending} aria-keyshortcuts={keyOf("yes")} onClick={shutOut}>
        {t("Remove {count}", { count })} <Kbd of="yes" />
      </button>
      <button ref={first} type="button" class="button button-small" onClick={keep}>
        {t("Keep")} <Kbd of="no" />
      </button>
    </div>
  );
}
