// What is special about a round or a question, in words that all screens share.
import { t } from "./language";
import type { Answer, Question, Round } from "./protocol";
import { numberWords, points, pointsLong } from "./words";

/** What is special about a round, a few words each. */
export function roundRules({ weight = 1, joker, speed, negative = 0, pacing }: Round): string[] {
  const rules: string[] = [];
  if (weight > 1) rules.push(weightWords(weight));
  if (joker) rules.push(t("Jokers allowed"));
  if (speed) rules.push(t("Quick answers earn more"));
  if (negative > 0) rules.push(t("Wrong answers cost {points}", { points: points(negative * weight) }));
  if (pacing === "round") rules.push(t("Answers at the round’s end"));
  return rules;
}

export function weightWords(weight: number): string {
  switch (weight) {
    case 2:
      return t("Counts double");
    case 3:
      return t("Counts triple");
    default:
      return t({ one: "Counts {n} time", other: "Counts {n} times" }, { n: weight });
  }
}

/** What an answer may bring and cost. doubled: by the participant's joker. */
export function worthWords(question: Question, round: Round | undefined, doubled: boolean): string {
  if (question.kind === "poll") return t("There is no right or wrong.");
  if (question.tieBreak) return t("No points: it decides between equals.");
  if (question.wager) return t("Right wins your stake, wrong loses it.");
  const times = (round?.weight ?? 1) * (doubled ? 2 : 1);
  const most = pointsLong(question.points * times);
  const worth = round?.speed ? t("Worth up to {points}.", { points: most }) : t("Worth {points}.", { points: most });
  return round?.negative ? `${worth} ${t("A wrong answer costs {points}.", { points: points(round.negative * times) })}` : worth;
}

/** What there is to choose from, or to put in order. True and false are our own words, so they are said in the page's language. */
export function optionsOf({ kind, options = [] }: Question): string[] {
  return kind === "trueFalse" ? [t("True"), t("False")] : options;
}

/** The right answer to a number question: 2,850 km; how far off still counts stands behind it. */
export function numericWords({ value, tolerance = 0, nearest, unit }: NonNullable<Answer["numeric"]>): { right: string; leeway: string } {
  const leeway = nearest ? t("The nearest wins") : tolerance > 0 ? t("± {tolerance} counts, too", { tolerance: numberWords(tolerance, unit) }) : "";
  return { right: numberWords(value, unit), leeway };
}
