import { useEffect, useRef, useState } from "preact/hooks";
import type { Participant } from "../lib/protocol";
import { between, type Chosen, choose, found, ids, joinedAfter } from "./chosen";
import { Kbd } from "./kbd";
import type { Drive } from "./use-drive";

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
        placeholder="Find a name"
        aria-label="Find a name"
        autocomplete="off"
        onInput={(event) => seek(event.currentTarget.value)}
      />
      <div class="views" role="group" aria-label="Choose">
        <button type="button" class="chip" disabled={listed.length === 0} onClick={() => set(ids(listed), true)}>
          {sought.trim() ? "All found" : "All"} <strong>{listed.length}</strong>
        </button>
        {last && (
          <button type="button" class="chip after" disabled={later.length === 0} onClick={() => set(later, true)}>
            Joined after <bdi>{last.name}</bdi> <strong>{later.length}</strong>
          </button>
        )}
        {chosen.length > 0 && (
          <button type="button" class="chip" onClick={() => setAll(new Set())}>
            None
          </button>
        )}
      </div>
      <List listed={listed} chosen={all} tick={tick} />
      {sure ? (
        <Sure count={chosen.length} doorsLocked={doorsLocked} pending={drive.pending !== undefined} shutOut={shutOut} keep={keep} />
      ) : (
        <div class="choices">
          <button ref={remove} type="button" class="button button-small button-danger" disabled={chosen.length === 0} onClick={() => setSure(true)}>
            {chosen.length === 0 ? "Tick whom to remove" : removal(chosen.length, doorsLocked)}
          </button>
          <button type="button" class="button button-small" onClick={done}>
            Back
          </button>
        </div>
      )}
    </div>
  );
}

function removal(count: number, doorsLocked: boolean): string {
  return doorsLocked ? `Remove ${count}` : `Lock the doors and remove ${count}`;
}

interface ListProps {
  listed: readonly Participant[];
  chosen: Chosen;
  tick: (participant: Participant, on: boolean, range: boolean) => void;
}

function List({ listed, chosen, tick }: ListProps) {
  if (listed.length === 0) return <p class="aside rows">Nobody is called that.</p>;
  return (
    <ul class="rows" onKeyDown={walk}>
      {listed.map((participant) => (
        <li key={participant.id}>
          <label class="pick">
            <input
              type="checkbox"
              checked={chosen.has(participant.id)}
              onClick={(event) => tick(participant, event.currentTarget.checked, event.shiftKey)}
            />
            <bdi>{participant.name}</bdi>
            {participant.via === "away" && <span class="via">away</span>}
          </label>
        </li>
      ))}
    </ul>
  );
}

/** The arrow keys walk from box to box. */
function walk(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const boxes = [...(event.currentTarget as HTMLElement).querySelectorAll("input")];
  const at = boxes.indexOf(event.target as HTMLInputElement);
  if (step === 0 || at < 0) return;
  event.preventDefault();
  boxes[at + step]?.focus();
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
  const asked = `${removal(count, doorsLocked)}?`;
  return (
    <div class="choices" role="group" aria-label={asked}>
      <p>
        <strong>{asked}</strong> Their phones are told, and their points leave the standings. Everybody else plays on.
      </p>
      <button type="button" class="button button-small button-danger" disabled={pending} onClick={shutOut}>
        Remove {count}
      </button>
      <button ref={first} type="button" class="button button-small" onClick={keep}>
        Keep <Kbd of="no" />
      </button>
    </div>
  );
}
