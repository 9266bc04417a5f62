import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuizContent, QuizQuestion } from "../lib/protocol";
import { bounds, draftQuestion, draftRound, fromContent, type Place, toContent } from "./draft";
import {
  addQuestion,
  addRound,
  changeAll,
  changeMedia,
  changeQuestion,
  duplicate,
  type Editing,
  insertQuestions,
  insertRounds,
  move,
  moveTo,
  remove,
  restore,
} from "./edits";

const single = (text: string): QuizQuestion => ({ kind: "single", text, options: ["Yes", "No"], correct: [1], seconds: 20, points: 2, notes: "" });

const content: QuizContent = {
  title: "Quiz",
  rounds: [
    { title: "One", introduction: "", questions: [single("a"), single("b")] },
    { title: "Two", introduction: "", questions: [single("c")] },
  ],
};

function editing(at: Place): Editing {
  return { draft: fromContent(content), at };
}

/** The questions as a line: "ab|c", and where the editing is. */
function line({ draft, at }: Editing): string {
  const texts = draft.rounds.map((round) => round.questions.map((question) => question.text || "_").join(""));
  return `${texts.join("|")} ${at.round ?? ""}.${at.question ?? ""}`;
}

/** A quiz with everything in it that can be written. */
const everything: QuizContent = {
  title: "Everything",
  language: "en-GB",
  tags: ["pub", "easy"],
  teams: "captain",
  tiesByTime: true,
  rounds: [
    {
      title: "One",
      introduction: "All kinds",
      picture: { id: "0".repeat(64), kind: "image", alt: "A map" },
      pacing: "round",
      weight: 2,
      speed: true,
      joker: true,
      negative: 0.5,
      questions: [
        { kind: "single", text: "1", options: ["a", "b"], correct: [1], wager: true, seconds: 20, points: 2, notes: "" },
        { kind: "multiple", text: "2", options: ["a", "b", "c"], correct: [0, 2], partial: true, seconds: 20, points: 2, notes: "" },
        { kind: "trueFalse", text: "3", correct: [0], seconds: 20, points: 0.5, notes: "" },
        { kind: "trueFalse", text: "4", correct: [1], seconds: 20, points: 0.5, tags: ["hard"], notes: "" },
        { kind: "text", text: "5", accepted: ["a", "b"], surnames: true, exact: true, seconds: 20, points: 2, notes: "n" },
        { kind: "number", text: "6", number: { value: 0, tolerance: 1, nearest: true, unit: "km" }, tieBreak: true, seconds: 20, points: 2, notes: "" },
        { kind: "number", text: "7", number: { value: -1.5 }, seconds: 20, points: 2, notes: "" },
        { kind: "ordering", text: "8", options: ["a", "b", "c"], partial: true, seconds: 20, points: 2, notes: "" },
        { kind: "poll", text: "9", options: ["a", "b"], seconds: 20, points: 0, notes: "" },
        { kind: "slide", text: "10", media: { id: "1".repeat(64), kind: "video" }, seconds: 20, points: 0, notes: "" },
      ],
    },
  ],
};

for (const [name, whole] of Object.entries({ everything, plain: content, empty: { title: "", rounds: [] } })) {
  test(`what is read is what is saved: ${name}`, () => assert.deepEqual(toContent(fromContent(whole)), whole));
}

test("a question is saved with the members of its kind alone, and keeps the others while it is edited", () => {
  let draft = fromContent(content);
  const kinds = ["multiple", "text", "number", "ordering", "poll", "slide", "trueFalse"] as const;
  for (const kind of kinds) {
    draft = changeQuestion(draft, 0, 0, { kind, wager: true });
    const saved = toContent(draft).rounds[0]?.questions[0];
    assert.equal(saved?.wager, kind === "poll" || kind === "slide" ? undefined : true);
    assert.equal(saved?.options !== undefined, ["multiple", "ordering", "poll"].includes(kind));
    assert.equal(saved?.accepted !== undefined, kind === "text");
  }
  assert.deepEqual(toContent(changeQuestion(draft, 0, 0, { kind: "single", wager: false })), content);
});

test("a single choice has one right option, the first of several", () => {
  const draft = fromContent(everything);
  assert.deepEqual(toContent(changeQuestion(draft, 0, 1, { kind: "single" })).rounds[0]?.questions[1]?.correct, [0]);
});

test("a tie-break has no stake", () => {
  const saved = toContent(changeQuestion(fromContent(everything), 0, 0, { tieBreak: true })).rounds[0]?.questions[0];
  assert.deepEqual([saved?.tieBreak, saved?.wager], [true, undefined]);
});

test("a number that was not written yet is not zero", () => {
  const draft = fromContent({ ...content, rounds: [{ ...everything.rounds[0]!, questions: [{ kind: "number", text: "", seconds: 20, points: 1, notes: "" }] }] });
  assert.equal(toContent(draft).rounds[0]?.questions[0]?.number, undefined);
});

const moves: { name: string; at: Place; step: -1 | 1; line: string }[] = [
  { name: "down in its round", at: { round: 0, question: 0 }, step: 1, line: "ba|c 0.1" },
  { name: "down into the next round", at: { round: 0, question: 1 }, step: 1, line: "a|bc 1.0" },
  { name: "up into the round before", at: { round: 1, question: 0 }, step: -1, line: "abc| 0.2" },
  { name: "not beyond the first", at: { round: 0, question: 0 }, step: -1, line: "ab|c 0.0" },
  { name: "not beyond the last", at: { round: 1, question: 0 }, step: 1, line: "ab|c 1.0" },
  { name: "a round with its questions", at: { round: 0 }, step: 1, line: "c|ab 1." },
  { name: "not the quiz itself", at: {}, step: 1, line: "ab|c ." },
];

for (const { name, at, step, line: want } of moves) {
  test(`move: ${name}`, () => assert.equal(line(move(editing(at), step)), want));
}

const drops: { name: string; from: Place; to: Place; line: string }[] = [
  { name: "a question before another of its round", from: { round: 0, question: 1 }, to: { round: 0, question: 0 }, line: "ba|c 0.0" },
  { name: "a question at the end of its round", from: { round: 0, question: 0 }, to: { round: 0, question: 2 }, line: "ba|c 0.1" },
  { name: "a question where it is", from: { round: 0, question: 0 }, to: { round: 0, question: 1 }, line: "ab|c ." },
  { name: "a question before one of another round", from: { round: 0, question: 0 }, to: { round: 1, question: 0 }, line: "b|ac 1.0" },
  { name: "a question at the end of another round", from: { round: 0, question: 0 }, to: { round: 1, question: 1 }, line: "b|ca 1.1" },
  { name: "a round's only question", from: { round: 1, question: 0 }, to: { round: 0, question: 1 }, line: "acb| 0.1" },
  { name: "a round to the end", from: { round: 0 }, to: { round: 2 }, line: "c|ab 1." },
  { name: "a round to the front", from: { round: 1 }, to: { round: 0 }, line: "c|ab 0." },
  { name: "a round where it is", from: { round: 0 }, to: { round: 1 }, line: "ab|c ." },
];

for (const { name, from, to, line: want } of drops) {
  test(`drop: ${name}`, () => assert.equal(line(moveTo(editing({}), from, to)), want));
}

const full = { title: "Full", introduction: "", questions: Array.from({ length: bounds.questions }, () => single("x")) };

test("nothing is dropped into a round that is full", () => {
  const before = { draft: fromContent({ title: "", rounds: [full, ...content.rounds] }), at: {} };
  assert.equal(moveTo(before, { round: 1, question: 0 }, { round: 0, question: 3 }).draft, before.draft);
});

test("questions from elsewhere stand after the one being edited, or at the round's end", () => {
  const from = [draftQuestion(single("x")), draftQuestion(single("y"))];
  assert.equal(line(insertQuestions(editing({ round: 0, question: 0 }), 0, from)), "axyb|c 0.1");
  assert.equal(line(insertQuestions(editing({ round: 0, question: 0 }), 1, from)), "ab|cxy 1.1");
  assert.equal(line(insertQuestions(editing({}), 7, from)), "ab|c .");
});

test("no more come in than there is room for", () => {
  const before = { draft: fromContent({ title: "", rounds: [{ ...full, questions: full.questions.slice(1) }] }), at: {} };
  const after = insertQuestions(before, 0, [draftQuestion(single("a")), draftQuestion(single("b"))]);
  assert.equal(after.draft.rounds[0]?.questions.length, bounds.questions);
  const rounds = insertRounds({ draft: fromContent(content), at: {} }, Array.from({ length: 40 }, () => draftRound(content.rounds[0]!)));
  assert.equal(rounds.draft.rounds.length, bounds.rounds);
  assert.deepEqual(rounds.at, { round: 2 });
});

test("all questions of a round get the same time or points", () => {
  const draft = changeAll(changeAll(fromContent(content), 0, { seconds: 45 }), 0, { points: 3 });
  const values = draft.rounds.map(({ questions }) => questions.map(({ seconds, points }) => `${seconds}/${points}`));
  assert.deepEqual(values, [["45/3", "45/3"], ["20/2"]]);
});

test("what was uploaded goes where it belongs, wherever that stands by now", () => {
  const before = editing({ round: 0, question: 0 });
  const { key } = before.draft.rounds[0]!.questions[0]!;
  const media = { id: "0".repeat(64), kind: "image" as const };
  const after = changeMedia(moveTo(before, { round: 0, question: 0 }, { round: 1, question: 1 }).draft, key, media);
  assert.deepEqual(after.rounds[1]?.questions[1]?.media, media);
  assert.deepEqual(changeMedia(before.draft, before.draft.rounds[1]!.key, media).rounds[1]?.picture, media);
  assert.deepEqual(changeMedia(before.draft, -1, media), before.draft);
});

test("a new question follows the one being edited, as long and worth as much", () => {
  const added = addQuestion(editing({ round: 0, question: 0 }), 0);
  assert.equal(line(added), "a_b|c 0.1");
  assert.equal(added.draft.rounds[0]?.questions[1]?.seconds, 20);
  assert.equal(line(addQuestion(editing({ round: 0, question: 0 }), 1)), "ab|c_ 1.1");
});

test("a new round stands at the end, with a first question", () => {
  assert.equal(line(addRound(editing({}))), "ab|c|_ 2.");
});

test("a copy stands beside its original and is told apart from it", () => {
  const question = duplicate(editing({ round: 0, question: 1 }));
  assert.equal(line(question), "abb|c 0.2");
  const round = duplicate(editing({ round: 0 }));
  assert.equal(line(round), "ab|ab|c 1.");
  for (const { draft } of [question, round]) {
    const questions = draft.rounds.flatMap((round) => round.questions);
    const keys = [...draft.rounds, ...questions, ...questions.flatMap(({ options }) => options)].map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
  }
});

for (const at of [{ round: 0 }, { round: 1 }, { round: 0, question: 0 }, { round: 0, question: 1 }, { round: 1, question: 0 }]) {
  test(`what was deleted comes back where it was: ${JSON.stringify(at)}`, () => {
    const before = editing(at);
    const { deleted, ...after } = remove(before);
    assert(deleted);
    assert.deepEqual(restore(after, deleted), before);
  });
}

test("a question whose round is gone as well does not come back alone", () => {
  const { deleted, ...after } = remove(editing({ round: 0, question: 0 }));
  assert(deleted);
  const gone = remove({ ...after, at: { round: 0 } });
  assert.equal(line(restore(gone, deleted)), "c 0.");
});
