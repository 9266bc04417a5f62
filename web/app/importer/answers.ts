import type { Kind, QuizQuestion } from "../lib/protocol";

export const kindNames: Record<Kind, string> = {
  single: "Choice",
  multiple: "Several right",
  trueFalse: "True or false",
  text: "Typed",
  number: "Number",
  ordering: "Order",
  poll: "Poll",
  slide: "Slide",
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
      return ["True", "False"].map((text, i) => ({ text, right: correct.includes(i) }));
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
      const near = number.nearest ? ", the nearest wins" : number.tolerance ? ` ± ${number.tolerance}` : "";
      return `${number.value}${number.unit ? ` ${number.unit}` : ""}${near}`;
    }
    default:
      return "";
  }
}
