import { t } from "../lib/language";
import { optionLetter } from "../lib/option-mark";
import type { ContentProblem } from "../lib/protocol";
import type { Draft, Place } from "./draft";

/** The path of a place: "", "rounds[0]" or "rounds[0].questions[2]". */
export function pathOf({ round, question }: Place): string {
  if (round === undefined) return "";
  return question === undefined ? `rounds[${round}]` : `rounds[${round}].questions[${question}]`;
}

/** The place whose form shows what a path names. */
export function placeOf(path: string): Place {
  const [, round, question] = /^rounds\[(\d+)\](?:\.questions\[(\d+)\])?/.exec(path) ?? [];
  return { ...(round && { round: Number(round) }), ...(question && { question: Number(question) }) };
}

/** What is wrong with exactly this, as sentences. */
export function problemAt(problems: readonly ContentProblem[], path: string): string | undefined {
  return problems.find((problem) => problem.path === path)?.detail;
}

/** Whether anything is wrong in the form of this place. */
export function troubled(problems: readonly ContentProblem[], place: Place): boolean {
  const path = pathOf(place);
  return problems.some((problem) => pathOf(placeOf(problem.path)) === path);
}

/** A place in words: Round 2, question 4. */
export function placeName(draft: Draft, { round, question }: Place): string {
  if (round === undefined) return t("The quiz");
  const title = draft.rounds[round]?.title || t("Round {number}", { number: round + 1 });
  return question === undefined ? title : t("{round}, question {number}", { round: title, number: question + 1 });
}

/** What a path names, in words, down to the option: Round 2, question 4, option C. Rows that are to be put in order have no letters. */
export function nameOf(draft: Draft, path: string): string {
  const at = placeOf(path);
  const place = placeName(draft, at);
  const [, option] = /\.options\[(\d+)\]$/.exec(path) ?? [];
  const question = draft.rounds[at.round ?? -1]?.questions[at.question ?? -1];
  if (option === undefined || question?.kind === "ordering") return place;
  return t("{place}, option {letter}", { place, letter: optionLetter(Number(option)) });
}
