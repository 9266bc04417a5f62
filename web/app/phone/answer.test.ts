import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answers } from "../lib/outbox";
import type { Given, OutcomeName, Personal } from "../lib/protocol";
import { type AnswerState, answerState, withOutcome } from "./answer";

const mine: Given = { choices: [1] };
const other: Given = { choices: [3] };

function personal(question?: string, given: Given = mine): Personal {
  return { participant: "p", name: "n", points: 0, answer: question === undefined ? undefined : { question, id: "a", given } };
}

function answers(outcome?: OutcomeName, more: { given?: Given; detail?: string; pending?: string } = {}): Answers {
  const { pending, given, detail } = more;
  return {
    pending: pending === undefined ? [] : [{ id: "a", question: pending, given: mine }],
    settled: outcome ? { "1.3": { id: "a", question: "1.3", outcome, sent: mine, given, detail } } : {},
  };
}

const cases: [string, Personal, Answers, AnswerState][] = [
  ["nothing was answered", personal(), answers(), { is: "open" }],
  ["the answer is on its way", personal(), answers(undefined, { pending: "1.3" }), { is: "sending", given: mine }],
  ["another question's answer is on its way", personal(), answers(undefined, { pending: "1.2" }), { is: "open" }],
  ["the server has it", personal("1.3"), answers(), { is: "locked", given: mine, elsewhere: false }],
  ["the server has the last question's", personal("1.2"), answers(), { is: "open" }],
  ["accepted, and the personal part is yet to come", personal(), answers("accepted"), { is: "locked", given: mine, elsewhere: false }],
  ["another tab was first", personal("1.3", other), answers("already-answered"), { is: "locked", given: other, elsewhere: true }],
  [
    "another tab was first, and the personal part is yet to come",
    personal(),
    answers("already-answered", { given: other }),
    { is: "locked", given: other, elsewhere: true },
  ],
  ["too late", personal(), answers("too-late"), { is: "late" }],
  ["the question went by", personal(), answers("not-this-question"), { is: "late" }],
  ["no answer to this kind", personal(), answers("invalid", { detail: "Choose one." }), { is: "open", problem: "Choose one." }],
  ["the captain answers", { ...personal(), team: { phones: 2, captain: false, answers: "captain" } }, answers(), { is: "captain" }],
  [
    "the captain has answered",
    { ...personal("1.3", other), team: { phones: 2, captain: false, answers: "captain" } },
    answers(),
    { is: "locked", given: other, elsewhere: false },
  ],
  ["this is the captain", { ...personal(), team: { phones: 2, captain: true, answers: "captain" } }, answers(), { is: "open" }],
  ["any phone of the team may", { ...personal(), team: { phones: 2, captain: false, answers: "first" } }, answers(), { is: "open" }],
  ["another phone became the captain meanwhile", personal(), answers("not-captain"), { is: "captain" }],
  ["a second try after a refused one", personal(), answers("invalid", { pending: "1.3" }), { is: "sending", given: mine }],
];

for (const [name, part, sent, want] of cases) {
  test(name, () => assert.deepEqual(answerState("1.3", part, sent), want));
}

test("an outcome stands for the personal part that is yet to come", () => {
  assert.deepEqual(withOutcome("1.3", personal(), answers("accepted")).answer, { question: "1.3", id: "a", given: mine });
  assert.deepEqual(withOutcome("1.3", personal(), answers("already-answered", { given: other })).answer, { question: "1.3", id: "a", given: other });
  for (const outcome of ["too-late", "invalid"] as const) assert.equal(withOutcome("1.3", personal(), answers(outcome)).answer, undefined);
  assert.equal(withOutcome("1.4", personal(), answers("accepted")).answer, undefined);
  assert.deepEqual(withOutcome("1.3", personal("1.3", other), answers("accepted")).answer?.given, other);
});
