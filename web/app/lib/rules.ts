// What is special about a round or a question, in words that all screens share.
import type { Answer, Question, Round } from "./protocol";
import { numberWords, points, pointsLong } from "./words";

/** What is special about a round, a few words each. */
export function roundRules({ weight = 1, joker, speed, negative = 0, pacing }: Round): string[] {
  const rules: string[] = [];
  if (weight > 1) rules.push(weightWords(weight));
  if (joker) rules.push("Jokers allowed");
  if (speed) rules.push("Quick answers earn more");
  if (negative > 0) rules.push(`Wrong answers cost ${points(negative)}`);
  if (pacing === "round") rules.push("Answers at the round’s end");
  return rules;
}

export function weightWords(weight: number): string {
  switch (weight) {
    case 2:
      return "Counts double";
    case 3:
      return "Counts triple";
    default:
      return `Counts ${weight} times`;
  }
}

/** What an answer may bring and cost. doubled: by the participant's joker. */
export function worthWords(question: Question, round: Round | undefined, doubled: boolean): string {
  if (question.kind === "poll") return "There is no right or wrong.";
  if (question.tieBreak) return "No points: it decides between equals.";
  if (question.wager) return "Right wins your stake, wrong loses it.";
  const times = (round?.weight ?? 1) * (doubled ? 2 : 1);
  const worth = `Worth ${round?.speed ? "up to " : ""}${pointsLong(question.points * times)}.`;
  return round?.negative ? `${worth} A wrong answer costs ${points(round.negative * times)}.` : worth;
}

/** The right answer to a number question: 2,850 km; how far off still counts stands behind it. */
export function numericWords({ value, tolerance = 0, nearest, unit }: NonNullable<Answer["numeric"]>): { right: string; leeway: string } {
  const leeway = nearest ? "The nearest wins" : tolerance > 0 ? `± ${numberWords(tolerance, unit)} counts, too` : "";
  return { right: numberWords(value, unit), leeway };
}
