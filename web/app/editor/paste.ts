import type { QuizQuestion } from "../lib/protocol";
import { bounds } from "./draft";

const numbered = /^\s*(?:q(?:uestion)?\s*)?\d{1,3}\s*[.):]\s*/i;
const bulleted = /^\s*[-*•–]\s+/;
const answerLine = /^\s*(?:a(?:nswer)?|ans)\s*[.:)]\s*/i;

/**
 * Questions with typed answers out of a list as people write it: "question - answer" on a line, with a tab, a bar, an arrow or an equals
 * sign between the two as well, or the answer behind the question mark; numbered or not. "A: answer" may stand on a line of its own. Several
 * accepted answers have a slash or semicolon between them. A line without an answer becomes a question whose answer is still to be written.
 */
export function pastedQuestions(text: string): QuizQuestion[] {
  const found: QuizQuestion[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === "") continue;
    const last = found.at(-1);
    if (answerLine.test(line) && last && last.accepted?.[0] === "") {
      last.accepted = accepted(line.replace(answerLine, ""));
      continue;
    }
    const [question, answer] = halves(line.replace(numbered, "").replace(bulleted, "").trim());
    found.push({ kind: "text", text: cut(question, bounds.text), accepted: accepted(answer), seconds: 30, points: 1, notes: "" });
  }
  return found;
}

function halves(line: string): [question: string, answer: string] {
  const parted =
    /^(.+?)\s*(?:\t+|\s\|\s|\s*(?:->|=>|→)\s*)\s*(.*)$/.exec(line) ?? // what only ever parts
    /^(.+?\?)\s*[-–—:=]?\s*(.+)$/.exec(line) ?? // behind the question mark
    /^(.+)\s+[-–—=]\s+(.+)$/.exec(line); // the last dash between spaces: questions have dashes too
  return parted ? [parted[1]?.trim() ?? "", parted[2]?.trim() ?? ""] : [line, ""];
}

function accepted(answer: string): string[] {
  const bare = answer.replace(/^\((.*)\)$/, "$1").replace(answerLine, "");
  const all = bare.split(/\s*;\s*|\s+\/\s+/).map((one) => cut(one.trim(), bounds.accepted));
  return [...new Set(all)].filter((one, i) => one !== "" || i === 0).slice(0, bounds.acceptedMost);
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join("");
}

/** Whether it looks like one of the formats that the server reads: Aiken, GIFT, JSON, or a table. */
export function isFormatted(text: string): boolean {
  return /^\s*[[{]/.test(text) || /^\s*ANSWER:\s*[A-Z]\s*$/m.test(text) || /\{\s*(?:[=~#]|T(?:RUE)?\s*\}|F(?:ALSE)?\s*\})/i.test(text);
}
