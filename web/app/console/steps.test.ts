import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostSnapshot, Phase } from "../lib/protocol";
import { backLabel, commandOf, shortLabel, stepLabel } from "./steps";

test("an action is the command that would be accepted now", () => {
  assert.equal(commandOf("doors", { commands: ["lockDoors", "finish"] }), "lockDoors");
  assert.equal(commandOf("doors", { commands: ["unlockDoors", "finish"] }), "unlockDoors");
  assert.equal(commandOf("standings", { commands: ["launch", "showStandings"] }), "showStandings");
  assert.equal(commandOf("pause", { commands: ["close", "pause"] }), "pause");
  assert.equal(commandOf("pause", { commands: ["close", "resume"] }), "resume");
  assert.equal(commandOf("back", { commands: ["launch", "back"] }), "back");
  assert.equal(commandOf("step", { next: "launch" }), "launch");
});

test("an action is no command where that would be refused", () => {
  assert.equal(commandOf("finish", { commands: ["close"] }), undefined);
  assert.equal(commandOf("back", { commands: ["close"] }), undefined);
  assert.equal(commandOf("several", { commands: ["close", "finish"] }), undefined);
  assert.equal(commandOf("step", {}), undefined);
});

const upNext = { id: "2.1", number: 1, kind: "text" as const, text: "?", points: 1, seconds: 30 };

test("the next step says which round or question it starts", () => {
  const snapshot = { nextRound: { number: 2, title: "Rivers", questions: 5 }, upNext } as HostSnapshot;
  assert.equal(stepLabel(snapshot, "next"), "Start round 2");
  assert.equal(stepLabel(snapshot, "launch"), "Launch question 1");
  assert.equal(stepLabel({ ...snapshot, upNext: { ...upNext, kind: "slide" } }, "launch"), "Show the slide");
});

function at(phase: Phase, number = 1, pacing?: "round"): HostSnapshot {
  const question = { ...upNext, id: `1.${number}`, number };
  return { phase, question, round: { number: 1, title: "Rivers", questions: 3, ...(pacing && { pacing }) } } as HostSnapshot;
}

test("where a round is revealed at its end, the answers come one after the other", () => {
  assert.equal(stepLabel(at("closed", 3, "round"), "reveal"), "Reveal the answers");
  assert.equal(stepLabel(at("revealed", 1, "round"), "reveal"), "Next answer");
  assert.equal(stepLabel(at("closed"), "reveal"), "Reveal the answer");
});

const backs: [HostSnapshot, string][] = [
  [at("revealed"), "Hide the answer"],
  [at("revealed", 1, "round"), "Hide the answer"],
  [at("revealed", 2, "round"), "The answer before"],
  [at("standings"), "Hide the standings"],
  [at("round"), "Back to the lobby"],
  [at("finished"), "Back into the quiz"],
];

for (const [snapshot, want] of backs) {
  test(`going back says what it does: ${want}`, () => assert.equal(backLabel(snapshot), want));
}

test("finishing with questions left is called what it is", () => {
  assert.equal(shortLabel("finish", { ...at("revealed"), upNext }), "End early");
  assert.equal(shortLabel("finish", at("revealed")), "Finish");
});
