import { useEffect, useRef } from "preact/hooks";
import type { HostSnapshot, StepCommand } from "../lib/protocol";
import { type KeyCommand, keyOf, shortLabel, stepLabel, stepMeaning } from "./steps";
import type { Drive } from "./use-drive";

export interface ActionsProps {
  snapshot: HostSnapshot;
  drive: Drive;
  /** Whether the host is being asked if the evening is really over. */
  finishing: boolean;
  /** Takes a command from a key or a button; finishing is asked about first. */
  take: (command: KeyCommand) => void;
  answer: (finish: boolean) => void;
  showKeys: () => void;
}

const asides: readonly KeyCommand[] = ["next", "showStandings", "lockDoors", "unlockDoors", "finish"];

/** The next obvious step, large, and beside it what else can be done now. */
export function Actions({ snapshot, drive, finishing, take, answer, showKeys }: ActionsProps) {
  const { next, commands = [] } = snapshot;
  if (finishing) return <Finish pending={drive.pending !== undefined} answer={answer} />;
  return (
    <footer class="actions">
      <div class="asides">
        {asides
          .filter((command) => command !== next && commands.includes(command))
          .map((command) => (
            <button
              key={keyOf(command)}
              type="button"
              class="button"
              aria-disabled={drive.pending !== undefined}
              aria-keyshortcuts={keyOf(command)}
              onClick={() => take(command)}
            >
              {shortLabel(command)} <kbd class="kbd">{keyOf(command)}</kbd>
            </button>
          ))}
        <button type="button" class="button button-quiet" aria-keyshortcuts="?" onClick={showKeys}>
          Keys <kbd class="kbd">?</kbd>
        </button>
      </div>
      {next ? <Next snapshot={snapshot} next={next} drive={drive} take={take} /> : <Over />}
    </footer>
  );
}

interface NextProps {
  snapshot: HostSnapshot;
  next: StepCommand;
  drive: Drive;
  take: (command: KeyCommand) => void;
}

function Next({ snapshot, next, drive, take }: NextProps) {
  return (
    <>
      <p class="meaning" id="meaning">
        {stepMeaning(next)}
      </p>
      <button
        type="button"
        class="button button-primary next"
        aria-disabled={drive.pending !== undefined}
        aria-describedby="meaning"
        aria-keyshortcuts="Space"
        onClick={() => take(next)}
      >
        {stepLabel(snapshot, next)} <kbd class="kbd">Space</kbd>
      </button>
    </>
  );
}

function Over() {
  return (
    <a class="button button-primary next" href="/host">
      Back to your quizzes
    </a>
  );
}

function Finish({ pending, answer }: { pending: boolean; answer: (finish: boolean) => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div class="actions" role="alertdialog" aria-labelledby="finish" aria-describedby="finish-meaning">
      <div class="meaning">
        <h2 id="finish">Finish the evening?</h2>
        <p id="finish-meaning">The podium is shown and the join code ends. There is no way back into the quiz.</p>
      </div>
      <button ref={keep} type="button" class="button" onClick={() => answer(false)}>
        Go on playing <kbd class="kbd">Esc</kbd>
      </button>
      <button type="button" class="button button-primary next" disabled={pending} aria-keyshortcuts="Y" onClick={() => answer(true)}>
        Finish now <kbd class="kbd">Y</kbd>
      </button>
    </div>
  );
}
