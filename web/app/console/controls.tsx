import { t } from "../lib/language";
import type { HostSnapshot } from "../lib/protocol";
import { Kbd } from "./kbd";
import { type Action, keyOf } from "./keys";
import { lastMarked, toLookAt } from "./marking";
import type { KeyCommand } from "./steps";
import type { Drive } from "./use-drive";

interface ControlsProps {
  snapshot: HostSnapshot;
  drive: Drive;
  take: (command: KeyCommand) => void;
  askToVoid: () => void;
  mark: () => void;
}

/** How much longer, in seconds, a question is open that is opened again. */
const again = 30;

/** What can be done about the question on the television: its clock, its marking, and whether it counts. What was typed before can be marked later, too. */
export function Controls({ snapshot, drive, take, askToVoid, mark }: ControlsProps) {
  const { question, commands = [], voided, groups = [], phase, round, next } = snapshot;
  const asked = phase === "standings" ? undefined : question;
  const markable = phase !== "finished" && lastMarked(snapshot) > 0; // after the end, the way is beside the results
  if (!asked && !markable) return null;
  const extend = (seconds: number) => void drive.run("extend", { seconds });
  const all = phase === "closed" && next === "reveal" && round?.pacing === "round"; // of the round: how many is not known here
  const open = all ? 0 : toLookAt(groups);
  return (
    <div class="controls" role="group" aria-label={asked ? t("The question on the television") : t("Marking")}>
      {commands.includes("pause") && <Control label={t("Pause")} of="pause" drive={drive} onClick={() => take("pause")} />}
      {commands.includes("resume") && <Control label={t("Go on")} of="pause" drive={drive} onClick={() => take("resume")} />}
      {commands.includes("extend") && (
        <>
          <Control label={t("+{seconds} s", { seconds: 15 })} of="more" drive={drive} onClick={() => extend(15)} />
          <Control label={t("+{seconds} s", { seconds: 30 })} of="muchMore" drive={drive} onClick={() => extend(30)} />
        </>
      )}
      {commands.includes("reopen") && (
        <Control label={t("Open again, {seconds} s", { seconds: again })} of="reopen" drive={drive} onClick={() => void drive.run("reopen", { seconds: again })} />
      )}
      {markable && (
        <Control label={open > 0 ? t("Mark: {count} to look at", { count: open }) : t("Mark")} of="mark" drive={drive} onClick={mark} />
      )}
      {asked &&
        asked.kind !== "slide" &&
        (voided ? (
          <Control label={t("Let it count")} of="void" drive={drive} onClick={() => void drive.run("unvoid", { question: asked.id })} />
        ) : (
          <Control label={t("Take it out")} of="void" drive={drive} onClick={askToVoid} />
        ))}
    </div>
  );
}

interface ControlProps {
  label: string;
  of: Action;
  drive: Drive;
  onClick: () => void;
}

function Control({ label, of, drive, onClick }: ControlProps) {
  return (
    <button type="button" class="button button-small" aria-disabled={drive.pending !== undefined} aria-keyshortcuts={keyOf(of)} onClick={onClick}>
      {label} <Kbd of={of} />
    </button>
  );
}
