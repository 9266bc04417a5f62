import type { HostSnapshot } from "../lib/protocol";
import { toLookAt } from "./marking";
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

/** What can be done about the question on the television: its clock, its marking, and whether it counts. */
export function Controls({ snapshot, drive, take, askToVoid, mark }: ControlsProps) {
  const { question, commands = [], voided, groups = [], phase } = snapshot;
  if (!question || phase === "standings") return null;
  const extend = (seconds: number) => void drive.run("extend", { seconds });
  const open = toLookAt(groups);
  const typed = question.kind === "text" && phase !== "open";
  return (
    <div class="controls" role="group" aria-label="The question on the television">
      {commands.includes("pause") && <Control label="Pause" shortcut="P" drive={drive} onClick={() => take("pause")} />}
      {commands.includes("resume") && <Control label="Go on" shortcut="P" drive={drive} onClick={() => take("resume")} />}
      {commands.includes("extend") && (
        <>
          <Control label="+15 s" shortcut="+" drive={drive} onClick={() => extend(15)} />
          <Control label="+30 s" shortcut="E" drive={drive} onClick={() => extend(30)} />
        </>
      )}
      {commands.includes("reopen") && (
        <Control label={`Open again, ${again} s`} shortcut="O" drive={drive} onClick={() => void drive.run("reopen", { seconds: again })} />
      )}
      {typed && (
        <Control label={open > 0 ? `Mark: ${open} to look at` : "Mark"} shortcut="M" drive={drive} onClick={mark} />
      )}
      {question.kind !== "slide" &&
        (voided ? (
          <Control label="Let it count" shortcut="V" drive={drive} onClick={() => void drive.run("unvoid", { question: question.id })} />
        ) : (
          <Control label="Take it out" shortcut="V" drive={drive} onClick={askToVoid} />
        ))}
    </div>
  );
}

interface ControlProps {
  label: string;
  shortcut: string;
  drive: Drive;
  onClick: () => void;
}

function Control({ label, shortcut, drive, onClick }: ControlProps) {
  return (
    <button type="button" class="button button-small" aria-disabled={drive.pending !== undefined} aria-keyshortcuts={shortcut} onClick={onClick}>
      {label} <kbd class="kbd">{shortcut}</kbd>
    </button>
  );
}
