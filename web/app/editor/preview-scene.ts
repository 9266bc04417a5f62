import { t } from "../lib/language";
import type { Answer, Given, Personal, Question, Round, ScreenSnapshot } from "../lib/protocol";
import { type Draft, type DraftQuestion, type DraftRound, type Place, rightOptions, scored, toRules } from "./draft";

/** What of a question is looked at: as it is asked, or with its answer. */
export type Moment = "asked" | "answer";

/** When it is in a preview: the clock stands still. */
export const previewNow = 1_000_000_000_000;

/** What the screens would show of a place in the draft, in a session of its own. Its version must differ from the last one's. */
export function previewSnapshot(draft: Draft, at: Place, moment: Moment, version: number, origin: string): ScreenSnapshot {
  const round = at.round === undefined ? undefined : draft.rounds[at.round];
  const question = at.question === undefined ? undefined : round?.questions[at.question];
  const common = {
    epoch: "preview",
    version,
    role: "screen" as const,
    title: draft.title || t("Untitled quiz"),
    ...(draft.language && { language: draft.language }),
    rounds: draft.rounds.length,
    joinCode: "DRWQ42",
    joinURL: `${origin}/j/DRWQ42`,
    doorsLocked: false,
  };
  if (!round || at.round === undefined) return { ...common, phase: "lobby" };
  const shown = { ...common, round: roundOf(round, at.round) };
  if (!question || at.question === undefined) return { ...shown, phase: "round" };
  const revealed = moment === "answer" || question.kind === "slide";
  return {
    ...shown,
    phase: revealed ? "revealed" : "open",
    question: questionOf(question, at.round, at.question),
    opensAt: previewNow,
    closesAt: previewNow + question.seconds * 1_000,
    ...(revealed && resultOf(question)),
  };
}

/** The phone of a team that knows everything. */
export function previewPersonal({ phase, question, answer }: ScreenSnapshot): Personal {
  const common = { participant: "preview", name: t("The Quizzards"), points: 7.5 };
  const given = question && answer && givenOf(answer);
  if (phase !== "revealed" || !given) return common;
  return { ...common, answer: { question: question.id, id: "preview", given, points: question.tieBreak ? 0 : question.points, verdict: "right" } };
}

function givenOf({ correct, accepted, numeric }: Answer): Given | undefined {
  if (correct?.length) return { choices: correct };
  const text = accepted?.[0] ?? numeric?.value.toString();
  return text ? { text } : undefined;
}

function roundOf(round: DraftRound, index: number): Round {
  return {
    number: index + 1,
    title: round.title || t("Round {number}", { number: index + 1 }),
    questions: round.questions.length,
    ...(round.introduction && { introduction: round.introduction }),
    ...toRules(round),
  };
}

function questionOf(question: DraftQuestion, round: number, index: number): Question {
  const { kind, text, media, partial, number, wager, tieBreak, points, seconds } = question;
  const options = choices(question);
  return {
    id: `${round + 1}.${index + 1}`,
    number: index + 1,
    kind,
    text: text || t("New question"),
    points,
    seconds,
    ...(options && { options }),
    ...(media && { media }),
    ...(partial && (kind === "multiple" || kind === "ordering") && { partial }),
    ...(kind === "number" && number.unit && { unit: number.unit }),
    ...(wager && scored(question) && { wager }),
    ...(tieBreak && { tieBreak }),
  };
}

function choices({ kind, options }: DraftQuestion): string[] | undefined {
  const texts = options.map(({ text }) => text);
  switch (kind) {
    case "trueFalse":
      return [t("True"), t("False")];
    case "ordering":
      return [...texts.slice(-1), ...texts.slice(0, -1)]; // shuffled, as far as a preview has to be
    case "single":
    case "multiple":
    case "poll":
      return texts;
    default:
      return undefined;
  }
}

/** A reveal to a room where most got it right. */
function resultOf(question: DraftQuestion): Partial<ScreenSnapshot> {
  const { kind } = question;
  if (kind === "slide") return {};
  const answer = answerOf(question);
  const options = choices(question);
  const tally = options && kind !== "ordering" && { distribution: options.map((_, i) => (answer?.correct?.includes(i) ? 9 : 3 - (i % 3))) };
  return { ...(answer && { answer }), ...tally, ...(kind !== "poll" && { right: 9, answered: 14 }) };
}

function answerOf(question: DraftQuestion): Answer | undefined {
  const { kind, truth, accepted, options, number } = question;
  switch (kind) {
    case "trueFalse":
      return { correct: [truth ? 0 : 1] };
    case "single":
    case "multiple":
      return { correct: rightOptions(question) };
    case "ordering":
      return { correct: options.map((_, i) => (i + 1) % options.length) };
    case "text":
      return { accepted: accepted.filter((text) => text !== "") };
    case "number":
      return number.value === undefined ? undefined : { numeric: { ...number, value: number.value } };
    default:
      return undefined;
  }
}
