import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostSnapshot, Phase } from "../lib/protocol";
import { phoneView } from "./phone-view";

const question = { id: "1.1", number: 1, kind: "text" as const, text: "?", points: 1, seconds: 30 };

function host(phase: Phase): HostSnapshot {
  return {
    ...{ epoch: "e", version: 7, role: "host", phase, title: "Quiz", rounds: 2, joinCode: "BCDFGH", joinURL: "https://x/j/BCDFGH", doorsLocked: false, capacity: 100 },
    ...{ question, answer: { accepted: ["secret"] }, notes: "secret", upNext: { ...question, accepted: ["secret"] }, standings: [{ name: "secret", points: 1, rank: 1 }] },
    ...{ cohosts: [{ number: 1, name: "secret" }], groups: [], jokerRounds: [{ number: 2, title: "Next" }] },
  };
}

test("a phone is shown nothing that phones are not told", () => {
  for (const phase of ["round", "open", "closed"] as const) {
    assert.equal(JSON.stringify(phoneView(host(phase))).includes("secret"), false);
  }
  for (const phase of ["lobby", "open", "revealed", "standings", "finished"] as const) {
    const told = Object.keys(phoneView(host(phase)));
    for (const name of ["joinCode", "joinURL", "doorsLocked", "popular", "upNext", "notes", "cohosts", "capacity"]) assert.equal(told.includes(name), false);
  }
});

test("a phone is shown the answer, the standings and what may be doubled when phones are", () => {
  assert.deepEqual(phoneView(host("revealed")).answer, { accepted: ["secret"] });
  assert.equal(phoneView(host("revealed")).standings, undefined);
  assert.equal(phoneView(host("standings")).standings?.length, 1);
  assert.deepEqual(phoneView(host("lobby")).jokerRounds, [{ number: 2, title: "Next" }]);
});
