import { t } from "../lib/language";
import type { Kind, QuizQuestion } from "../lib/protocol";
import { numberWords } from "../lib/words";

export const kindNames: Record<Kind, string> = {
  single: t("Choice"),
  multiple: t("Several right"),
  trueFalse: t("True or false"),
  text: t("Typed"),
  number: t("Number"),
  ordering: t("Order"),
  poll: t("Poll"),
  slide: t("Slide"),
};

/** A choice as it stands in a preview. */
export interface Choice {
  text: string;
  right: boolean;
}

/** What players choose from, with what is right; empty where they type or only read. */
export function choicesOf({ kind, options = [], correct = [] }: QuizQuestion): Choice[] {
  switch (kind) {
    case "trueFalse":
      return [t("True"), t("False")].map((text, i) => ({ text, right: correct.includes(i) }));
    case "single":
    case "multiple":
      return options.map((text, i) => ({ text, right: correct.includes(i) }));
    case "poll":
      return options.map((text) => ({ text, right: false }));
    default:
      return [];
  }
}

/** The right answer where it is not one of the choices. */
export function answerOf({ kind, accepted = [], number, options = [] }: QuizQuestion): string {
  switch (kind) {
    case "text":
      return accepted.join(" / ");
    case "ordering":
      return options.join(" → ");
    case "number": {
      if (!number) return "";
      const value = numberWords(number.value, number.unit);
      if (number.nearest) return t("{value}, the nearest wins", { value });
      return number.tolerance ? `${value} ± ${numberWords(number.tolerance)}` : value;
    }
    default:
      return "";
  }
}
