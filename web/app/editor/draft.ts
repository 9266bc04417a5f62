import type { Kind, QuizContent, QuizQuestion, QuizRound } from "../lib/protocol";

// A quiz while it is edited. Keys tell rounds and questions apart while they are typed in and moved; a question keeps what
// belongs to its other kinds, so that trying a kind loses nothing.

export interface DraftQuestion {
  key: number;
  kind: Kind;
  text: string;
  options: string[];
  /** Index of the right option, in options or in true and false. */
  correct: number;
  accepted: string[];
  seconds: number;
  points: number;
  notes: string;
}

export interface DraftRound {
  key: number;
  title: string;
  introduction: string;
  questions: DraftQuestion[];
}

export interface Draft {
  title: string;
  rounds: DraftRound[];
}

/** A place in the draft: the quiz itself, a round, or a question of a round. Indexes count from 0. */
export interface Place {
  round?: number;
  question?: number;
}

/** The bounds of docs/protocol.md. */
export const bounds = {
  title: 120,
  introduction: 500,
  text: 300,
  option: 150,
  options: { least: 2, most: 6 },
  accepted: 100,
  acceptedMost: 20,
  notes: 500,
  rounds: 30,
  questions: 100,
  seconds: { least: 5, most: 600 },
  points: { least: 0.5, most: 100 },
} as const;

let lastKey = 0;
const newKey = () => ++lastKey;

export function newQuestion(like?: DraftQuestion): DraftQuestion {
  return {
    key: newKey(),
    kind: like?.kind ?? "single",
    text: "",
    options: ["", "", "", ""],
    correct: 0,
    accepted: [""],
    seconds: like?.seconds ?? 30,
    points: like?.points ?? 1,
    notes: "",
  };
}

export function newRound(number: number): DraftRound {
  return { key: newKey(), title: `Round ${number}`, introduction: "", questions: [newQuestion()] };
}

export function fromContent({ title, rounds }: QuizContent): Draft {
  return { title, rounds: rounds.map(draftRound) };
}

function draftRound({ title, introduction, questions }: QuizRound): DraftRound {
  return { key: newKey(), title, introduction, questions: questions.map(draftQuestion) };
}

function draftQuestion({ correct = [0], options, accepted, ...rest }: QuizQuestion): DraftQuestion {
  return { ...newQuestion(), ...rest, correct: correct[0] ?? 0, ...(options && { options }), ...(accepted && { accepted }) };
}

/** What is saved: each question with the members of its kind only. */
export function toContent({ title, rounds }: Draft): QuizContent {
  return {
    title,
    rounds: rounds.map(({ title, introduction, questions }) => ({ title, introduction, questions: questions.map(toQuestion) })),
  };
}

function toQuestion({ kind, text, options, correct, accepted, seconds, points, notes }: DraftQuestion): QuizQuestion {
  const common = { kind, text, seconds, points, notes };
  switch (kind) {
    case "single":
      return { ...common, options, correct: [correct] };
    case "trueFalse":
      return { ...common, correct: [Math.min(correct, 1)] };
    case "text":
      return { ...common, accepted };
    default:
      return { ...common, ...(options.length > 0 && { options, correct: [correct] }) };
  }
}

/** The list with its item at index changed. */
export function replaced<T>(list: readonly T[], index: number, change: (item: T) => T): T[] {
  return list.map((item, i) => (i === index ? change(item) : item));
}

/** The list without its item at index. */
export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, i) => i !== index);
}

/** The list with an item put in at index. */
export function inserted<T>(list: readonly T[], index: number, item: T): T[] {
  return [...list.slice(0, index), item, ...list.slice(index)];
}

/** The list with its item moved from one index to another. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from];
  return item === undefined ? [...list] : inserted(without(list, from), to, item);
}
