import { locale, t } from "../lib/language";
import { list } from "../lib/list";
import type { LogEntry } from "../lib/protocol";
import { pointsLong } from "../lib/words";
import { read, type Refused } from "./ask";

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

/** What was done, as a sentence. */
export function logSentence({ command, detail, actor }: LogEntry): string {
  const { names = [], name = "", capacity = 0, seconds = 0, question = "", points = 0, reason = "" } = detail as Detail;
  const who = names.length === 0 ? t("A player") : list(names, "unit");
  switch (command) {
    case "next":
      return t("The next round was introduced.");
    case "launch":
      return t("Question {question} was launched.", { question });
    case "close":
      return t("Question {question} was closed.", { question });
    case "timeUp":
      return t("Time was up for question {question}.", { question });
    case "reveal":
      return t("The answer to question {question} was revealed.", { question });
    case "showStandings":
      return t("The standings were shown.");
    case "finish":
      return t("The evening was finished.");
    case "back":
      return t("The last step was taken back.");
    case "pause":
      return t("The clock of question {question} was paused.", { question });
    case "resume":
      return t("The clock of question {question} went on.", { question });
    case "extend":
      return t({ one: "Question {question} was given {n} second more.", other: "Question {question} was given {n} seconds more." }, { n: seconds, question });
    case "reopen":
      return t({ one: "Question {question} was opened again for {n} second.", other: "Question {question} was opened again for {n} seconds." }, { n: seconds, question });
    case "void":
      return t("Question {question} was taken out: it counts for nobody.", { question });
    case "unvoid":
      return t("Question {question} counts again.", { question });
    case "adjust": {
      const change = { who, points: pointsLong(Math.abs(points)), reason };
      return points < 0 ? t("{who} lost {points}: {reason}", change) : t("{who} got {points}: {reason}", change);
    }
    case "mark":
      return markSentence(detail as Detail);
    case "lockDoors":
      return t("The doors were locked.");
    case "unlockDoors":
      return t("The doors were unlocked.");
    case "setCapacity":
      return t("The places were set to {capacity}.", { capacity });
    case "rename":
      return t("{who} was renamed to {name}.", { who, name });
    case "remove":
      return t("{who} was removed.", { who });
    case "letBackIn":
      return name ? t("{who} was let back in, as {name}.", { who, name }) : t("{who} was let back in.", { who });
    case "shutOut":
      return t({ one: "The doors were locked, and {n} player was removed: {names}.", other: "The doors were locked, and {n} players were removed: {names}." }, { n: names.length, names: who });
    case "renewScreen":
      return t("The links to the big screen were renewed.");
    case "publishResults":
      return t("The final standings were published.");
    case "hideResults":
      return t("The final standings are no longer public.");
    case "inviteCohost":
      return t("A link for one more host was made.");
    case "withdrawInvitation":
      return t("The link for one more host was taken back.");
    case "admitCohost":
      return t("{who} came to host, too.", { who });
    case "removeCohost":
      return actor === names[0] ? t("{who} stopped hosting.", { who }) : t("{who} no longer hosts.", { who });
    case "moveSeat":
      return t("{who} moved to another phone.", { who });
    default:
      return t("Something else was done: {command}.", { command });
  }
}

function markSentence({ question = "", group = "", verdict }: Detail): string {
  switch (verdict) {
    case "right":
      return t("Question {question}: “{group}” was accepted.", { question, group });
    case "half":
      return t("Question {question}: “{group}” was half accepted.", { question, group });
    case "wrong":
      return t("Question {question}: “{group}” was refused.", { question, group });
    default:
      return t("Question {question}: “{group}” was left to the machine again.", { question, group });
  }
}

/** What was done, a sentence for each entry. Where several hosts did something, each says who it was, unless it is about just them. */
export function logLines(entries: readonly LogEntry[]): string[] {
  const several = new Set(entries.flatMap(({ actor }) => actor ?? [])).size > 1;
  return entries.map((entry) => {
    const sentence = logSentence(entry);
    const { actor } = entry;
    return several && actor && (entry.detail as Detail).names?.[0] !== actor ? t("{sentence} ({actor})", { sentence, actor }) : sentence;
  });
}

/** Reads what was done in a session, the latest first. */
export function readLog(session: string): Promise<{ entries: LogEntry[] } | Refused> {
  return read(session, "log", isLog);
}

function isLog(reply: unknown): reply is { entries: LogEntry[] } {
  return Array.isArray((reply as { entries?: unknown } | undefined)?.entries);
}

/** The reader's own time of day. */
export function timeOfDay(at: string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}
