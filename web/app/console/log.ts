import type { LogEntry } from "../lib/protocol";
import { plural, pointsLong } from "../lib/words";

/** What the log keeps of a command beyond its name. */
interface Detail {
  /** Of the participants that it was about. */
  names?: string[];
  /** The new one. */
  name?: string;
  capacity?: number;
  seconds?: number;
  question?: string;
  points?: number;
  reason?: string;
  group?: string;
  verdict?: string;
}

const verdicts: Record<string, string> = { right: "accepted", half: "half accepted", wrong: "refused", machine: "left to the machine again" };

/** What was done, as a sentence. */
export function logSentence({ command, detail, actor }: LogEntry): string {
  const { names = [], name = "", capacity = 0, seconds = 0, question = "", points = 0, reason = "", group = "", verdict = "" } = detail as Detail;
  const who = names.length === 0 ? "A player" : names.join(", ");
  switch (command) {
    case "next":
      return "The next round was introduced.";
    case "launch":
      return `Question ${question} was launched.`;
    case "close":
      return `Question ${question} was closed.`;
    case "timeUp":
      return `Time was up for question ${question}.`;
    case "reveal":
      return `The answer to question ${question} was revealed.`;
    case "showStandings":
      return "The standings were shown.";
    case "finish":
      return "The evening was finished.";
    case "back":
      return "The last step was taken back.";
    case "pause":
      return `The clock of question ${question} was paused.`;
    case "resume":
      return `The clock of question ${question} went on.`;
    case "extend":
      return `Question ${question} was given ${plural(seconds, "second", "seconds")} more.`;
    case "reopen":
      return `Question ${question} was opened again for ${plural(seconds, "second", "seconds")}.`;
    case "void":
      return `Question ${question} was taken out: it counts for nobody.`;
    case "unvoid":
      return `Question ${question} counts again.`;
    case "adjust":
      return `${who} ${points < 0 ? "lost" : "got"} ${pointsLong(Math.abs(points))}: ${reason}`;
    case "mark":
      return `Question ${question}: “${group}” was ${verdicts[verdict] ?? verdict}.`;
    case "lockDoors":
      return "The doors were locked.";
    case "unlockDoors":
      return "The doors were unlocked.";
    case "setCapacity":
      return `The places were set to ${capacity}.`;
    case "rename":
      return `${who} was renamed to ${name}.`;
    case "remove":
      return `${who} was removed.`;
    case "letBackIn":
      return `${who} was let back in${name && `, as ${name}`}.`;
    case "shutOut":
      return `The doors were locked, and ${plural(names.length, "player was", "players were")} removed: ${names.join(", ")}.`;
    case "renewScreen":
      return "The links to the big screen were renewed.";
    case "publishResults":
      return "The final standings were published.";
    case "hideResults":
      return "The final standings are no longer public.";
    case "inviteCohost":
      return "A link for one more host was made.";
    case "withdrawInvitation":
      return "The link for one more host was taken back.";
    case "admitCohost":
      return `${who} came to host, too.`;
    case "removeCohost":
      return actor === who ? `${who} stopped hosting.` : `${who} no longer hosts.`;
    case "moveSeat":
      return `${who} moved to another phone.`;
    default:
      return `${actor ?? "The server"}: ${command}.`;
  }
}

/** What was done, a sentence for each entry. Where several hosts did something, each says who it was. */
export function logLines(entries: readonly LogEntry[]): string[] {
  const several = new Set(entries.flatMap(({ actor }) => actor ?? [])).size > 1;
  return entries.map((entry) => {
    const sentence = logSentence(entry);
    const { actor } = entry;
    return several && actor && !sentence.startsWith(actor) ? `${sentence} (${actor})` : sentence;
  });
}
