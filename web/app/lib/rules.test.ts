import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question, Round } from "./protocol";
import { numericWords, roundRules, worthWords } from "./rules";

const plain: Round = { number: 1, title: "Warming up", questions: 5 };
const question: Question = { id: "1.1", number: 1, kind: "single", text: "?", points: 1, seconds: 30 };

test("a plain round has nothing special about it", () => {
  assert.deepEqual(roundRules(plain), []);
  assert.deepEqual(roundRules({ ...plain, weight: 1, negative: 0, joker: false }), []);
});

test("everything special is said in words", () => {
  assert.deepEqual(roundRules({ ...plain, weight: 2, joker: true, speed: true, negative: 0.5, pacing: "round" }), [
    "Counts double",
    "Jokers allowed",
    "Quick answers earn more",
    "Wrong answers cost 1",
    "Answers at the round’s end",
  ]);
  assert.deepEqual(roundRules({ ...plain, negative: 0.5 }), ["Wrong answers cost ½"]);
});

const worths: [string, Partial<Question>, Partial<Round>, boolean, string][] = [
  ["plain", {}, {}, false, "Worth 1 point."],
  ["doubled by the round", {}, { weight: 2 }, false, "Worth 2 points."],
  ["and by the joker", {}, { weight: 2 }, true, "Worth 4 points."],
  ["speed", { points: 2 }, { speed: true }, false, "Worth up to 2 points."],
  ["a wrong answer costs as many times", {}, { negative: 0.5, weight: 2 }, true, "Worth 4 points. A wrong answer costs 2."],
  ["a wager", { wager: true }, {}, false, "Right wins your stake, wrong loses it."],
  ["a tie-break", { tieBreak: true }, { weight: 2 }, false, "No points: it decides between equals."],
  ["a poll", { kind: "poll" }, {}, false, "There is no right or wrong."],
];

for (const [name, more, rules, doubled, want] of worths) {
  test(`what an answer is worth: ${name}`, () => {
    assert.equal(worthWords({ ...question, ...more }, { ...plain, ...rules }, doubled), want);
  });
}

test("a number's answer says how far off still counts", () => {
  assert.deepEqual(numericWords({ value: 2850, unit: "km", tolerance: 50 }), { right: "2,850 km", leeway: "± 50 km counts, too" });
  assert.deepEqual(numericWords({ value: 2850, nearest: true }), { right: "2850", leeway: "The nearest wins" });
  assert.deepEqual(numericWords({ value: -3.5 }), { right: "−3.5", leeway: "" });
});
