import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuizQuestion } from "../lib/protocol";
import { answerOf, choicesOf } from "./answers";

const question = (more: Partial<QuizQuestion>): QuizQuestion => ({ kind: "text", text: "", seconds: 30, points: 1, notes: "", ...more });

test("choices tell which of them are right", () => {
  const right = (q: QuizQuestion) => choicesOf(q).map(({ right }) => right);
  assert.deepEqual(right(question({ kind: "single", options: ["a", "b"], correct: [1] })), [false, true]);
  assert.deepEqual(right(question({ kind: "trueFalse", correct: [0] })), [true, false]);
  assert.deepEqual(right(question({ kind: "poll", options: ["a", "b"] })), [false, false]);
  assert.deepEqual(right(question({ kind: "ordering", options: ["a", "b"] })), []);
});

test("answers that are typed or put in order are one line", () => {
  assert.equal(answerOf(question({ accepted: ["Gold", "Aurum"] })), "Gold / Aurum");
  assert.equal(answerOf(question({ kind: "ordering", options: ["a", "b", "c"] })), "a → b → c");
  assert.equal(answerOf(question({ kind: "number", number: { value: 330, tolerance: 5, unit: "m" } })), "330 m ± 5");
  assert.equal(answerOf(question({ kind: "number", number: { value: 7, nearest: true } })), "7, the nearest wins");
  assert.equal(answerOf(question({ kind: "slide" })), "");
});
