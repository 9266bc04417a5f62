import type { Media } from "../lib/protocol";
import { bounds, type Draft, type DraftQuestion, type DraftRound, inserted, moved, newKey, newQuestion, newRound, type Place, replaced, without } from "./draft";

/** A draft and what is being edited in it. */
export interface Editing {
  draft: Draft;
  at: Place;
}

/** What was deleted, and where, so that it can be put back. */
export type Deleted = { round: DraftRound; at: number } | { question: DraftQuestion; from: number; at: number };

export function changeRound(draft: Draft, round: number, change: Partial<DraftRound>): Draft {
  return { ...draft, rounds: replaced(draft.rounds, round, (old) => ({ ...old, ...change })) };
}

export function changeQuestion(draft: Draft, round: number, question: number, change: Partial<DraftQuestion>): Draft {
  const questions = draft.rounds[round]?.questions ?? [];
  return changeRound(draft, round, { questions: replaced(questions, question, (old) => ({ ...old, ...change })) });
}

/** Gives a question its media, or a round its picture, by the key of either; wherever it stands by now. */
export function changeMedia(draft: Draft, key: number, media: Media): Draft {
  return {
    ...draft,
    rounds: draft.rounds.map((round) => {
      if (round.key === key) return { ...round, picture: media };
      if (!round.questions.some((question) => question.key === key)) return round;
      return { ...round, questions: round.questions.map((question) => (question.key === key ? { ...question, media } : question)) };
    }),
  };
}

/** A new round at the end. */
export function addRound({ draft, at }: Editing): Editing {
  if (draft.rounds.length >= bounds.rounds) return { draft, at };
  const round = draft.rounds.length;
  return { draft: { ...draft, rounds: [...draft.rounds, newRound(round + 1)] }, at: { round } };
}

/** A new question after the one being edited, or at the round's end, with the same kind, seconds and points as the one before it. */
export function addQuestion({ draft, at }: Editing, round: number): Editing {
  const questions = draft.rounds[round]?.questions ?? [];
  if (questions.length >= bounds.questions) return { draft, at };
  const question = at.round === round && at.question !== undefined ? at.question + 1 : questions.length;
  const added = newQuestion(questions[question - 1]);
  return { draft: changeRound(draft, round, { questions: inserted(questions, question, added) }), at: { round, question } };
}

/** A copy right after what is being edited. */
export function duplicate({ draft, at }: Editing): Editing {
  const { round, question } = at;
  const original = round === undefined ? undefined : draft.rounds[round];
  if (round === undefined || !original) return { draft, at };
  if (question === undefined) {
    if (draft.rounds.length >= bounds.rounds) return { draft, at };
    const copy = { ...original, key: newKey(), questions: original.questions.map(copied) };
    return { draft: { ...draft, rounds: inserted(draft.rounds, round + 1, copy) }, at: { round: round + 1 } };
  }
  const asked = original.questions[question];
  if (!asked || original.questions.length >= bounds.questions) return { draft, at };
  return {
    draft: changeRound(draft, round, { questions: inserted(original.questions, question + 1, copied(asked)) }),
    at: { round, question: question + 1 },
  };
}

function copied(question: DraftQuestion): DraftQuestion {
  return { ...question, key: newKey(), options: question.options.map((option) => ({ ...option, key: newKey() })) };
}

/** Moves what is being edited one place up (-1) or down (1). A question at its round's edge goes on into the next round. */
export function move({ draft, at }: Editing, step: -1 | 1): Editing {
  const { round, question } = at;
  if (round === undefined) return { draft, at };
  if (question === undefined) {
    const to = round + step;
    if (to < 0 || to >= draft.rounds.length) return { draft, at };
    return { draft: { ...draft, rounds: moved(draft.rounds, round, to) }, at: { round: to } };
  }
  const questions = draft.rounds[round]?.questions ?? [];
  const to = question + step;
  if (to >= 0 && to < questions.length) {
    return { draft: changeRound(draft, round, { questions: moved(questions, question, to) }), at: { round, question: to } };
  }
  return moveAcross({ draft, at }, round, question, step);
}

function moveAcross({ draft, at }: Editing, round: number, question: number, step: -1 | 1): Editing {
  const neighbour = draft.rounds[round + step];
  const item = draft.rounds[round]?.questions[question];
  if (!neighbour || !item || neighbour.questions.length >= bounds.questions) return { draft, at };
  const to = step === 1 ? 0 : neighbour.questions.length;
  const taken = changeRound(draft, round, { questions: without(draft.rounds[round]?.questions ?? [], question) });
  return {
    draft: changeRound(taken, round + step, { questions: inserted(neighbour.questions, to, item) }),
    at: { round: round + step, question: to },
  };
}

/** Moves a round to before the one that is at an index now, or a question to before another of any round: as dropped there. */
export function moveTo({ draft, at }: Editing, from: Place, to: Place): Editing {
  const { round = 0 } = from;
  const { round: target = 0 } = to;
  if (from.question === undefined) {
    const index = target > round ? target - 1 : target;
    return index === round ? { draft, at } : { draft: { ...draft, rounds: moved(draft.rounds, round, index) }, at: { round: index } };
  }
  const item = draft.rounds[round]?.questions[from.question];
  const questions = draft.rounds[target]?.questions;
  if (!item || !questions || to.question === undefined) return { draft, at };
  const index = target === round && to.question > from.question ? to.question - 1 : to.question;
  if (target === round && index === from.question) return { draft, at };
  if (target !== round && questions.length >= bounds.questions) return { draft, at };
  const taken = changeRound(draft, round, { questions: without(draft.rounds[round]?.questions ?? [], from.question) });
  const rest = taken.rounds[target]?.questions ?? [];
  return { draft: changeRound(taken, target, { questions: inserted(rest, index, item) }), at: { round: target, question: index } };
}

/** Puts questions in after the one being edited, or at the round's end; as many as fit. */
export function insertQuestions({ draft, at }: Editing, round: number, questions: readonly DraftQuestion[]): Editing {
  const there = draft.rounds[round]?.questions;
  if (!there) return { draft, at };
  const index = at.round === round && at.question !== undefined ? at.question + 1 : there.length;
  const fitting = questions.slice(0, bounds.questions - there.length);
  if (fitting.length === 0) return { draft, at };
  return { draft: changeRound(draft, round, { questions: inserted(there, index, ...fitting) }), at: { round, question: index } };
}

/** Puts rounds in at the end; as many as fit. */
export function insertRounds({ draft, at }: Editing, rounds: readonly DraftRound[]): Editing {
  const fitting = rounds.slice(0, bounds.rounds - draft.rounds.length);
  if (fitting.length === 0) return { draft, at };
  return { draft: { ...draft, rounds: [...draft.rounds, ...fitting] }, at: { round: draft.rounds.length } };
}

/** Gives all questions of a round the same time, or the same points. */
export function changeAll(draft: Draft, round: number, change: Pick<DraftQuestion, "seconds"> | Pick<DraftQuestion, "points">): Draft {
  return changeRound(draft, round, { questions: (draft.rounds[round]?.questions ?? []).map((question) => ({ ...question, ...change })) });
}

/** Deletes what is being edited; its neighbour is edited next. */
export function remove({ draft, at }: Editing): Editing & { deleted?: Deleted } {
  const { round, question } = at;
  const from = round === undefined ? undefined : draft.rounds[round];
  if (round === undefined || !from) return { draft, at };
  if (question === undefined) {
    const rounds = without(draft.rounds, round);
    return { draft: { ...draft, rounds }, at: rounds.length > 0 ? { round: Math.min(round, rounds.length - 1) } : {}, deleted: { round: from, at: round } };
  }
  const item = from.questions[question];
  if (!item) return { draft, at };
  const questions = without(from.questions, question);
  const next = questions.length > 0 ? { round, question: Math.min(question, questions.length - 1) } : { round };
  return { draft: changeRound(draft, round, { questions }), at: next, deleted: { question: item, from: from.key, at: question } };
}

/** Puts back what was deleted: a question into its round, if that is still there. */
export function restore({ draft, at }: Editing, deleted: Deleted): Editing {
  if ("round" in deleted) {
    return { draft: { ...draft, rounds: inserted(draft.rounds, deleted.at, deleted.round) }, at: { round: Math.min(deleted.at, draft.rounds.length) } };
  }
  const round = draft.rounds.findIndex(({ key }) => key === deleted.from);
  const questions = draft.rounds[round]?.questions;
  if (!questions) return { draft, at };
  return {
    draft: changeRound(draft, round, { questions: inserted(questions, deleted.at, deleted.question) }),
    at: { round, question: Math.min(deleted.at, questions.length) },
  };
}
