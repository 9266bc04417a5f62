import { t } from "../lib/language";
import type { Kind, Media, QuizContent, QuizQuestion, QuizRound, RoundRules } from "../lib/protocol";

// A quiz while it is edited. Keys tell rounds, questions and options apart while they are typed in and moved; a question keeps what
// belongs to its other kinds, so that trying a kind loses nothing.

export interface DraftOption {
  key: number;
  text: string;
  /** Of choices: it is right. A single choice takes the first that is. */
  right: boolean;
}

export interface DraftNumber {
  /** Absent while none was written. */
  value?: number | undefined;
  tolerance: number;
  nearest: boolean;
  unit: string;
}

export interface DraftQuestion {
  key: number;
  kind: Kind;
  text: string;
  media?: Media | undefined;
  options: DraftOption[];
  /** Of true or false. */
  truth: boolean;
  partial: boolean;
  accepted: string[];
  surnames: boolean;
  exact: boolean;
  number: DraftNumber;
  wager: boolean;
  tieBreak: boolean;
  seconds: number;
  points: number;
  tags: string[];
  notes: string;
}

export interface DraftRound {
  key: number;
  title: string;
  introduction: string;
  picture?: Media | undefined;
  /** Answers are revealed together when the round ends. */
  atEnd: boolean;
  weight: number;
  speed: boolean;
  joker: boolean;
  negative: number;
  questions: DraftQuestion[];
}

export interface Draft {
  title: string;
  language: string;
  tags: string[];
  teams: "" | "first" | "captain";
  tiesByTime: boolean;
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
  tags: 10,
  tag: 40,
  alt: 200,
  unit: 20,
  number: 1e15,
  rounds: 30,
  questions: 100,
  weight: { least: 1, most: 10 },
  seconds: { least: 5, most: 600 },
  points: { least: 0.5, most: 100 },
  negative: { least: 0, most: 100 },
} as const;

let lastKey = 0;
export const newKey = () => ++lastKey;

export function newOption(text = "", right = false): DraftOption {
  return { key: newKey(), text, right };
}

export function newQuestion(like?: DraftQuestion): DraftQuestion {
  return {
    key: newKey(),
    kind: like?.kind ?? "single",
    text: "",
    options: [newOption("", true), newOption(), newOption(), newOption()],
    truth: true,
    partial: like?.partial ?? false,
    accepted: [""],
    surnames: false,
    exact: false,
    number: { tolerance: 0, nearest: false, unit: "" },
    wager: false,
    tieBreak: false,
    seconds: like?.seconds ?? 30,
    points: like?.points ?? 1,
    tags: [],
    notes: "",
  };
}

export function newRound(number: number): DraftRound {
  return {
    key: newKey(),
    title: t("Round {number}", { number }),
    introduction: "",
    atEnd: false,
    weight: 1,
    speed: false,
    joker: false,
    negative: 0,
    questions: [newQuestion()],
  };
}

export function fromContent({ title, language = "", tags = [], teams, tiesByTime = false, rounds }: QuizContent): Draft {
  return { title, language, tags, teams: teams ?? "", tiesByTime, rounds: rounds.map(draftRound) };
}

export function draftRound({ pacing, weight = 0, speed = false, joker = false, negative = 0, questions, ...rest }: QuizRound): DraftRound {
  return {
    key: newKey(),
    ...rest,
    atEnd: pacing === "round",
    weight: Math.max(weight, 1),
    speed,
    joker,
    negative,
    questions: questions.map(draftQuestion),
  };
}

export function draftQuestion({ kind, options, correct = [], accepted, number, ...rest }: QuizQuestion): DraftQuestion {
  const fresh = newQuestion();
  return {
    ...fresh,
    ...rest,
    kind,
    options: options ? options.map((text, i) => newOption(text, correct.includes(i))) : fresh.options,
    truth: kind !== "trueFalse" || correct[0] !== 1,
    accepted: accepted?.length ? accepted : fresh.accepted,
    number: number ? { ...fresh.number, ...number } : fresh.number,
  };
}

/** What is saved: each question with the members of its kind only, and nothing that goes without saying. */
export function toContent({ title, language, tags, teams, tiesByTime, rounds }: Draft): QuizContent {
  return {
    title,
    ...(language && { language }),
    ...(tags.length > 0 && { tags }),
    ...(teams === "" ? {} : { teams }),
    ...(tiesByTime && { tiesByTime }),
    rounds: rounds.map(toRound),
  };
}

function toRound(round: DraftRound): QuizRound {
  return { title: round.title, introduction: round.introduction, ...toRules(round), questions: round.questions.map(toQuestion) };
}

export function toRules({ picture, atEnd, weight, speed, joker, negative }: DraftRound): RoundRules {
  return {
    ...(picture && { picture }),
    ...(atEnd && { pacing: "round" as const }),
    ...(weight > 1 && { weight }),
    ...(speed && { speed }),
    ...(joker && { joker }),
    ...(negative > 0 && { negative }),
  };
}

function toQuestion(question: DraftQuestion): QuizQuestion {
  const { kind, text, media, wager, tieBreak, seconds, points, tags, notes } = question;
  return {
    kind,
    text,
    ...(media && { media }),
    ...answering(question),
    ...(scored(question) && wager && { wager }),
    ...(canBreakTies(question) && tieBreak && { tieBreak }),
    seconds,
    points,
    ...(tags.length > 0 && { tags }),
    notes,
  };
}

function answering(question: DraftQuestion): Partial<QuizQuestion> {
  const { kind, truth, partial, accepted, surnames, exact, number } = question;
  const options = question.options.map(({ text }) => text);
  const correct = rightOptions(question);
  switch (kind) {
    case "single":
      return { options, ...(correct.length > 0 && { correct }) };
    case "multiple":
      return { options, ...(correct.length > 0 && { correct }), ...(partial && { partial }) };
    case "ordering":
      return { options, ...(partial && { partial }) };
    case "poll":
      return { options };
    case "trueFalse":
      return { correct: [truth ? 0 : 1] };
    case "text":
      return { accepted, ...(surnames && { surnames }), ...(exact && { exact }) };
    case "number":
      return number.value === undefined ? {} : { number: toNumber(number, number.value) };
    case "slide":
      return {};
  }
}

function toNumber({ tolerance, nearest, unit }: DraftNumber, value: number): NonNullable<QuizQuestion["number"]> {
  return { value, ...(tolerance > 0 && { tolerance }), ...(nearest && { nearest }), ...(unit && { unit }) };
}

/** The indexes of the options that are right; of a single choice at most one. */
export function rightOptions({ kind, options }: DraftQuestion): number[] {
  const right = options.flatMap((option, i) => (option.right ? [i] : []));
  return kind === "single" ? right.slice(0, 1) : right;
}

/** Whether an answer earns points. */
export function scored({ kind, tieBreak }: DraftQuestion): boolean {
  return kind !== "poll" && kind !== "slide" && !tieBreak;
}

export function canBreakTies({ kind }: DraftQuestion): boolean {
  return kind !== "poll" && kind !== "slide";
}

/** The list with its item at index changed. */
export function replaced<T>(list: readonly T[], index: number, change: (item: T) => T): T[] {
  return list.map((item, i) => (i === index ? change(item) : item));
}

/** The list without its item at index. */
export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, i) => i !== index);
}

/** The list with items put in at index. */
export function inserted<T>(list: readonly T[], index: number, ...items: T[]): T[] {
  return [...list.slice(0, index), ...items, ...list.slice(index)];
}

/** The list with its item moved from one index to another. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from];
  return item === undefined ? [...list] : inserted(without(list, from), to, item);
}
