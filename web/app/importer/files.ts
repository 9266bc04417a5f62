import { t } from "../lib/language";
import type { QuizContent, QuizQuestion, QuizRound } from "../lib/protocol";

/** What the server found in a file: docs/protocol.md, POST /api/v1/imports. */
export interface Import {
  format: string;
  /** What a row's number counts. */
  counts: "row" | "line" | "question";
  content: QuizContent;
  rows: ImportRow[];
}

export interface ImportRow {
  /** From 1; 0: the file or the sheet as a whole. */
  row: number;
  sheet?: string;
  status: "fine" | "changed" | "skipped";
  text: string;
  /** Its question in the content; absent: it gave none. */
  at?: { round: number; question: number };
  notes?: { column?: string; found?: string; detail: string }[];
}

/** A file on its way into the quiz. Files become rounds in the order in which they were chosen. */
export interface ChosenFile {
  key: number;
  name: string;
  state: { name: "sending"; share: number } | { name: "read"; found: Import } | { name: "refused"; reason: string };
  /** Indexes of the rows that the author does not want. */
  without: ReadonlySet<number>;
}

/** The bounds of docs/protocol.md that files together may break. */
export const bounds = { rounds: 30, title: 120 } as const;

export type Change =
  | { do: "add"; key: number; name: string }
  | { do: "sent"; key: number; share: number }
  | { do: "read"; key: number; found: Import }
  | { do: "refuse"; key: number; reason: string }
  | { do: "take"; key: number; rows: number[]; wanted: boolean }
  | { do: "remove"; key: number };

export function change(files: readonly ChosenFile[], what: Change): ChosenFile[] {
  const on = (edit: (file: ChosenFile) => ChosenFile) => files.map((file) => (file.key === what.key ? edit(file) : file));
  switch (what.do) {
    case "add":
      return [...files, { key: what.key, name: what.name, state: { name: "sending", share: 0 }, without: new Set() }];
    case "sent":
      return on((file) => (file.state.name === "sending" ? { ...file, state: { name: "sending", share: what.share } } : file));
    case "read":
      return on((file) => ({ ...file, state: { name: "read", found: what.found } }));
    case "refuse":
      return on((file) => ({ ...file, state: { name: "refused", reason: what.reason } }));
    case "take":
      return on((file) => {
        const without = new Set(file.without);
        for (const row of what.rows) what.wanted ? without.delete(row) : without.add(row);
        return { ...file, without };
      });
    case "remove":
      return files.filter(({ key }) => key !== what.key);
  }
}

/** How many of a file's rows are in each status. */
export function tally({ rows }: Import): Record<ImportRow["status"], number> {
  const counts = { fine: 0, changed: 0, skipped: 0 };
  for (const { status } of rows) counts[status]++;
  return counts;
}

/** The question that a row gave. */
export function questionOf({ content }: Import, { at }: ImportRow): QuizQuestion | undefined {
  return at && content.rounds[at.round]?.questions[at.question];
}

/** The quiz that all files make together: the rounds of each with the questions that are wanted. What the first file says about the quiz itself counts. */
export function together(files: readonly ChosenFile[], title: string): QuizContent {
  const read = files.flatMap((file) => (file.state.name === "read" ? [{ found: file.state.found, without: file.without }] : []));
  const rounds = read.flatMap(({ found, without }) => wantedRounds(found, without));
  return { ...read[0]?.found.content, title, rounds };
}

function wantedRounds({ content, rows }: Import, without: ReadonlySet<number>): QuizRound[] {
  const unwanted = new Set(rows.flatMap(({ at }, i) => (at && without.has(i) ? [`${at.round}.${at.question}`] : [])));
  return content.rounds
    .map((round, r) => ({ round, questions: round.questions.filter((_, q) => !unwanted.has(`${r}.${q}`)) }))
    .filter(({ round, questions }) => questions.length > 0 || round.questions.length === 0)
    .map(({ round, questions }) => ({ ...round, questions }));
}

/** The title that the files suggest: the first one's own. */
export function suggestedTitle(files: readonly ChosenFile[]): string {
  for (const { state } of files) {
    if (state.name === "read") return state.found.content.title;
  }
  return "";
}

/** "12 questions in 3 rounds". */
export function size({ rounds }: QuizContent): string {
  const questions = rounds.reduce((sum, round) => sum + round.questions.length, 0);
  return t({ one: "{n} question in {rounds}", other: "{n} questions in {rounds}" }, { n: questions, rounds: t({ one: "{n} round", other: "{n} rounds" }, { n: rounds.length }) });
}
