import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnswerGroup, HostSnapshot, MarkedQuestion, Phase } from "../lib/protocol";
import { decided, firstSpot, lastMarked, spots, toLookAt } from "./marking";

const gold: AnswerGroup = { key: "gold", text: "gold", count: 38, verdict: "right", by: "machine" };
const silver: AnswerGroup = { key: "silver", text: "Silver", count: 9, verdict: "wrong", by: "machine" };
const goldd: AnswerGroup = { key: "goldd", text: "goldd", count: 1, verdict: "part", by: "machine" };
const refused: AnswerGroup = { key: "tin", text: "tin", count: 1, verdict: "wrong", by: "host" };

function question(id: string, ...groups: AnswerGroup[]): MarkedQuestion {
  return { id, number: Number(id.slice(2)), kind: "text", text: "?", points: 1, status: "closed", groups };
}

test("what the machine did not accept is to be looked at until the host has decided", () => {
  assert.equal(toLookAt([gold, silver, goldd, refused]), 2);
});

test("the groups of all questions stand in one list", () => {
  const all = spots([question("1.1", gold), question("1.2"), question("1.3", silver, goldd)]);
  assert.deepEqual(all.map(({ question, group }) => `${question.id} ${group.key}`), ["1.1 gold", "1.3 silver", "1.3 goldd"]);
});

test("a host begins at the first group to look at", () => {
  assert.equal(firstSpot(spots([question("1.1", gold), question("1.2", gold, silver)])), 2);
  assert.equal(firstSpot(spots([question("1.1", gold, refused)])), 0);
  assert.equal(firstSpot([]), 0);
});

test("a decision shows at once, on its own group only", () => {
  const questions = [question("1.1", silver), question("1.2", gold, silver)];
  const [first, second] = decided(questions, "1.2", "silver", "half");
  assert.deepEqual(first?.groups, [silver]);
  assert.deepEqual(second?.groups, [gold, { ...silver, verdict: "part", by: "host" }]);
});

test("a decision taken back leaves the group to the machine", () => {
  const [first] = decided([question("1.1", refused)], "1.1", "tin", "machine");
  assert.deepEqual(first?.groups, [{ ...refused, by: "machine" }]);
});

test("marking begins in the round of the question that closed last", () => {
  const at = (phase: Phase, round?: number, question?: number) =>
    lastMarked({
      phase,
      round: round && { number: round, title: "R", questions: 3 },
      question: question && { id: "1.1", number: question, kind: "text", text: "?", points: 1, seconds: 30 },
    } as HostSnapshot);
  assert.equal(at("lobby"), 0);
  assert.equal(at("round", 1), 0);
  assert.equal(at("open", 1, 1), 0);
  assert.equal(at("closed", 1, 1), 1);
  assert.equal(at("open", 1, 2), 1);
  assert.equal(at("standings", 1, 3), 1);
  assert.equal(at("round", 2), 1);
  assert.equal(at("open", 2, 1), 1);
  assert.equal(at("finished", 2), 2);
});
