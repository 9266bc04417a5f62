import { useEffect, useRef } from "preact/hooks";
import { t } from "../lib/language";
import type { HostSnapshot, StepCommand } from "../lib/protocol";
import { Confirm } from "./confirm";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import { type KeyCommand, type KeyedCommand, keyOfCommand, shortLabel, stepLabel, stepMeaning } from "./steps";
import type { Drive } from "./use-drive";

/** What the host is being asked about, before it is done. */
export type Asking = "finish" | "void" | undefined;

export interface ActionsProps {
  snapshot: HostSnapshot;
  drive: Drive;
  asking: Asking;
  /** Takes a command from a key or a button; finishing is asked about first. */
  take: (command: KeyCommand) => void;
  answer: (go: boolean) => void;
}

const asides: readonly KeyedCommand[] = ["back", "next", "showStandings", "finish"];

/** The next obvious step, large, and beside it what else can be done now. */
export function Actions({ snapshot, drive, asking, take, answer }: ActionsProps) {
  const { next, commands = [] } = snapshot;
  const footer = useRef<HTMLElement>(null);
  useReturn(footer, asking);
  if (asking === "finish") {
    return (
      <Confirm
        question={snapshot.upNext ? t("End the evening early?") : t("Finish the evening?")}
        meaning={t("The podium is shown and the join code ends. The quiz can still be taken up again, by going back one step.")}
        stay={t("Go on playing")}
        go={t("Finish now")}
        pending={drive.pending !== undefined}
        answer={answer}
      />
    );
  }
  if (asking === "void") {
    return (
      <Confirm
        question={t("Take question {number} out?", { number: snapshot.question?.number ?? "" })}
        meaning={t("It counts for nobody, and everybody is told. You can let it count again.")}
        stay={t("Keep it")}
        go={t("Take it out")}
        pending={drive.pending !== undefined}
        answer={answer}
      />
    );
  }
  return (
    <footer class="actions" ref={footer}>
      <div class="asides">
        {asides
          .filter((command) => command !== next && commands.includes(command))
          .map((command) => (
            <button
              key={keyOfCommand(command)}
              type="button"
              class="button"
              aria-disabled={drive.pending !== undefined}
              aria-keyshortcuts={keyOfCommand(command)}
              onClick={() => take(command)}
            >
              {shortLabel(command, snapshot)} <kbd class="kbd">{keyOfCommand(command)}</kbd>
            </button>
          ))}
      </div>
      {next ? <Next snapshot={snapshot} next={next} drive={drive} take={take} /> : <Over />}
    </footer>
  );
}

/** After a question was answered whose buttons had the focus, the next step has it: what led to the question may be gone. */
function useReturn(footer: { current: HTMLElement | null }, asking: Asking): void {
  const asked = useRef(asking);
  useEffect(() => {
    if (asked.current && !asking && document.activeElement === document.body) footer.current?.querySelector<HTMLElement>(".next")?.focus();
    asked.current = asking;
  }, [asking]);
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
        {stepMeaning(snapshot, next)}
      </p>
      <button
        type="button"
        class="button button-primary next"
        aria-disabled={drive.pending !== undefined}
        aria-describedby="meaning"
        aria-keyshortcuts={keyOf("step")}
        onClick={() => take(next)}
      >
        {stepLabel(snapshot, next)} <Kbd of="step" />
      </button>
    </>
  );
}

function Over() {
  return (
    <a class="button button-primary next" href="/host">
      {t("Back to your quizzes")}
    </a>
  );
}
