import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostSnapshot } from "../lib/protocol";
import { commandFor, stepLabel } from "./steps";

test("a key means the command that would be accepted now", () => {
  assert.equal(commandFor("l", ["lockDoors", "finish"]), "lockDoors");
  assert.equal(commandFor("L", ["unlockDoors", "finish"]), "unlockDoors");
  assert.equal(commandFor("s", ["launch", "showStandings"]), "showStandings");
});

test("a key means nothing where its command would be refused", () => {
  assert.equal(commandFor("f", ["close"]), undefined);
  assert.equal(commandFor("x", ["close", "finish"]), undefined);
});

test("the next step says which round or question it starts", () => {
  const snapshot = {
    nextRound: { number: 2, title: "Rivers", questions: 5 },
    upNext: { id: "2.1", number: 1, kind: "text", text: "?", points: 1, seconds: 30 },
  } as HostSnapshot;
  assert.equal(stepLabel(snapshot, "next"), "Start round 2");
  assert.equal(stepLabel(snapshot, "launch"), "Launch question 1");
});
