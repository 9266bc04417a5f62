import type { Kind } from "../lib/protocol";

/** The kinds of questions, in the order in which they are offered. */
export const kinds: readonly { kind: Kind; label: string; about: string }[] = [
  { kind: "single", label: "Single choice", about: "One of the options is right." },
  { kind: "multiple", label: "Multiple choice", about: "Any of the options may be right." },
  { kind: "trueFalse", label: "True or false", about: "A statement that is one or the other." },
  { kind: "text", label: "Typed answer", about: "Players type a word or a name; you have the last word in the marking." },
  { kind: "number", label: "Number", about: "Players type a number: exact, about right, or the nearest wins." },
  { kind: "ordering", label: "Put in order", about: "Players sort what you write here in the right order." },
  { kind: "poll", label: "Poll", about: "Players choose; nothing is right, and nothing is earned." },
  { kind: "slide", label: "Slide", about: "Something to read or to look at; there is nothing to answer." },
];

/** What is written in the outline beside a question that is not the usual choice. */
export const kindMarks: Record<Kind, string> = {
  single: "",
  multiple: "multiple",
  trueFalse: "true/false",
  text: "typed",
  number: "number",
  ordering: "order",
  poll: "poll",
  slide: "slide",
};
