import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuizQuestion } from "../lib/protocol";
import { byRound, type PaperQuestion, solutionWords } from "./papers";

const base = { text: "?", seconds: 30, points: 1, notes: "" };

const solutions: [QuizQuestion, string][] = [
  [{ ...base, kind: "single", options: ["Rhine", "Danube"], correct: [1] }, "B Danube"],
  [{ ...base, kind: "multiple", options: ["Rhine", "Danube", "Elbe"], correct: [0, 2] }, "A Rhine, C Elbe"],
  [{ ...base, kind: "ordering", options: ["second", "first"], correct: [1, 0] }, "B first, A second"],
  [{ ...base, kind: "trueFalse", correct: [1] }, "False"],
  [{ ...base, kind: "text", accepted: ["Gold", "Aurum"] }, "Gold or Aurum"],
  [{ ...base, kind: "number", number: { value: 2850, unit: "km", tolerance: 50 } }, "2,850 km (± 50 km counts, too)"],
  [{ ...base, kind: "poll", options: ["a", "b"] }, ""],
  [{ ...base, kind: "slide" }, ""],
];

for (const [question, want] of solutions) {
  test(`the solution of a ${question.kind} question in words`, () => assert.equal(solutionWords(question), want));
}

test("the questions stand round by round", () => {
  const paper = (id: string): PaperQuestion => ({ id, status: "waiting", content: { ...base, kind: "slide" } });
  const rounds = byRound([paper("1.1"), paper("1.2"), paper("10.1")]);
  assert.deepEqual(rounds.map(({ round, questions }) => [round, questions.length]), [[1, 2], [10, 1]]);
});
