import { useEffect, useRef, useState } from "preact/hooks";
import type { Drive } from "./use-drive";

interface PlacesProps {
  joined: number;
  capacity: number;
  doorsLocked: boolean;
  drive: Drive;
}

const most = 1_000; // participants in a session

/** How many places are taken, and how to have more of them. */
export function Places({ joined, capacity, doorsLocked, drive }: PlacesProps) {
  const [changing, setChanging] = useState(false);
  const line = useRef<HTMLSpanElement>(null);
  const full = joined >= capacity;
  const nearlyFull = joined >= 0.9 * capacity;
  const done = () => {
    setChanging(false);
    line.current?.focus(); // and not the button: Space is the next step
  };
  return (
    <div class="places" data-full={full || undefined}>
      <p class="fact">
        <span ref={line} tabIndex={-1}>
          {full ? `All ${capacity} places are taken` : `${joined} of ${capacity} places taken`}
        </span>
        <button type="button" class="button button-small" aria-keyshortcuts="C" aria-expanded={changing} onClick={() => setChanging(!changing)}>
          {nearlyFull ? "Make room" : "Change"} <kbd class="kbd">C</kbd>
        </button>
      </p>
      {full && !doorsLocked && !changing && <p class="aside">Whoever comes now is turned away.</p>}
      {changing && <Change proposal={nearlyFull ? Math.min(most, roundUp(capacity)) : capacity} drive={drive} done={done} />}
    </div>
  );
}

/** To the next fifty. */
function roundUp(capacity: number): number {
  return (Math.floor(capacity / 50) + 1) * 50;
}

function Change({ proposal, drive, done }: { proposal: number; drive: Drive; done: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => input.current?.select(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const reply = await drive.run("setCapacity", { capacity: input.current!.valueAsNumber || 0 });
    if (!reply) return;
    if ("version" in reply) done();
    else setProblem(reply.problem);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") done();
  };
  return (
    <form class="choices" onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <input
        class="input tabular"
        ref={input}
        type="number"
        min={1}
        max={most}
        defaultValue={String(proposal)}
        aria-label="Places"
        aria-invalid={problem !== undefined}
        aria-describedby="places-problem"
        autocomplete="off"
      />
      <button type="submit" class="button button-small button-primary" disabled={drive.pending !== undefined}>
        Set <kbd class="kbd">↵</kbd>
      </button>
      <button type="button" class="button button-small" onClick={done}>
        Keep <kbd class="kbd">Esc</kbd>
      </button>
      <p id="places-problem" class="field-problem" role="status">
        {problem}
      </p>
    </form>
  );
}
