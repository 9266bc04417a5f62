import { t } from "../lib/language";
import { list } from "../lib/list";
import { optionLetter } from "../lib/option-mark";
import type { QuizQuestion } from "../lib/protocol";
import { numericWords } from "../lib/rules";

/** What is right about a question, as a host reads it out; nothing where nothing is. */
export function solutionWords({ kind, options = [], correct = [], accepted = [], number }: QuizQuestion): string {
  switch (kind) {
    case "slide":
    case "poll":
      return "";
    case "text":
      return list(accepted, "disjunction");
    case "number": {
      if (!number) return "";
      const { right, leeway } = numericWords(number);
      if (number.nearest) return t("{right} (the nearest wins)", { right });
      return leeway ? t("{right} ({leeway})", { right, leeway }) : right;
    }
    case "trueFalse":
      return correct[0] === 0 ? t("True") : t("False");
    default:
      return list(correct.map((index) => `${optionLetter(index)} ${options[index] ?? ""}`), "unit");
  }
}

/** A question as it was frozen, with its place. */
export interface PaperQuestion {
  /** Its round and number: "2.4". */
  id: string;
  status: "waiting" | "open" | "closed" | "revealed";
  voided?: boolean;
  content: QuizQuestion;
}

/** The questions round by round. */
export function byRound(questions: readonly PaperQuestion[]): { round: number; questions: PaperQuestion[] }[] {
  const rounds = new Map<number, PaperQuestion[]>();
  for (const question of questions) {
    const round = Number(question.id.split(".")[0]);
    rounds.set(round, [...(rounds.get(round) ?? []), question]);
  }
  return [...rounds].map(([round, questions]) => ({ round, questions }));
}
