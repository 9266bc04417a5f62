import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuizQuestion } from "../lib/protocol";
import { fromContent } from "./draft";
import { type Moment, previewPersonal, previewSnapshot } from "./preview-scene";

const common = { seconds: 20, points: 2, notes: "The answer is Mars" };
const questions: QuizQuestion[] = [
  { kind: "single", text: "Red?", options: ["Venus", "Mars"], correct: [1], ...common },
  { kind: "multiple", text: "Gases?", options: ["Neon", "Iron", "Argon"], correct: [0, 2], partial: true, ...common },
  { kind: "trueFalse", text: "Wet?", correct: [1], ...common },
  { kind: "text", text: "Who?", accepted: ["", "Curie"], ...common },
  { kind: "number", text: "How high?", number: { value: 8849, tolerance: 50, unit: "m" }, ...common },
  { kind: "ordering", text: "Order?", options: ["one", "two", "three"], ...common },
  { kind: "poll", text: "Ready?", options: ["Yes", "No"], ...common },
  { kind: "slide", text: "Cheers.", ...common },
];
const draft = fromContent({ title: "", rounds: [{ title: "", introduction: "Hello", questions, weight: 2, pacing: "round" }] });
const shown = (question: number, moment: Moment) => previewSnapshot(draft, { round: 0, question }, moment, 1, "https://quiz.example");

test("what is asked is shown without what is right", () => {
  for (const [i, { kind }] of questions.entries()) {
    const snapshot = shown(i, "asked");
    assert.equal(snapshot.answer, undefined);
    assert.equal(snapshot.distribution, undefined);
    assert.equal(JSON.stringify(snapshot).includes(common.notes), false);
    assert.equal(snapshot.phase, kind === "slide" ? "revealed" : "open");
    assert.equal(previewPersonal(snapshot).answer, undefined);
  }
});

test("an ordering is shuffled, and its answer puts it in order", () => {
  const { question, answer } = shown(5, "answer");
  assert.deepEqual(question?.options, ["three", "one", "two"]);
  assert.deepEqual(answer?.correct?.map((index) => question?.options?.[index]), ["one", "two", "three"]);
});

test("a team that knows everything is right", () => {
  const given = questions.map((_, i) => previewPersonal(shown(i, "answer")).answer?.given);
  const right = [{ choices: [1] }, { choices: [0, 2] }, { choices: [1] }, { text: "Curie" }, { text: "8849" }, { choices: [1, 2, 0] }];
  assert.deepEqual(given, [...right, undefined, undefined]);
});

test("a round and the quiz are what comes before the questions", () => {
  const round = previewSnapshot(draft, { round: 0 }, "asked", 2, "https://quiz.example");
  assert.deepEqual([round.phase, round.round?.title, round.round?.weight, round.round?.pacing], ["round", "Round 1", 2, "round"]);
  const quiz = previewSnapshot(draft, {}, "asked", 3, "https://quiz.example");
  assert.deepEqual([quiz.phase, quiz.title, quiz.round], ["lobby", "Untitled quiz", undefined]);
});
