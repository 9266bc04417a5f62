import { t } from "../lib/language";
import type { Kind } from "../lib/protocol";

/** The kinds of questions, in the order in which they are offered. */
export const kinds: readonly { kind: Kind; label: string; about: string }[] = [
  { kind: "single", label: t("Single choice"), about: t("One of the options is right.") },
  { kind: "multiple", label: t("Multiple choice"), about: t("Any of the options may be right.") },
  { kind: "trueFalse", label: t("True or false"), about: t("A statement that is one or the other.") },
  { kind: "text", label: t("Typed answer"), about: t("Players type a word or a name; you have the last word in the marking.") },
  { kind: "number", label: t("Number"), about: t("Players type a number: exact, about right, or the nearest wins.") },
  { kind: "ordering", label: t("Put in order"), about: t("Players sort what you write here in the right order.") },
  { kind: "poll", label: t("Poll"), about: t("Players choose; nothing is right, and nothing is earned.") },
  { kind: "slide", label: t("Slide"), about: t("Something to read or to look at; there is nothing to answer.") },
];

/** What is written in the outline beside a question that is not the usual choice. */
export const kindMarks: Record<Kind, string> = {
  single: "",
  multiple: t("multiple"),
  trueFalse: t("true/false"),
  text: t("typed"),
  number: t("number"),
  ordering: t("order"),
  poll: t("poll"),
  slide: t("slide"),
};
