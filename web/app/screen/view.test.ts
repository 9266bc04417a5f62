import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostSnapshot, Phase } from "../lib/protocol";
import { screenLive, screenView } from "./view";

function host(phase: Phase): HostSnapshot {
  return {
    epoch: "e",
    version: 7,
    role: "host",
    phase,
    title: "Tuesday Quiz",
    rounds: 1,
    round: { number: 1, title: "Warming up", questions: 1 },
    question: { id: "1.1", number: 1, kind: "single", text: "Au?", options: ["Silver", "Gold"], points: 1, seconds: 30 },
    opensAt: 1_000,
    closesAt: 31_000,
    answer: { correct: [1] },
    distribution: [1, 2],
    right: 2,
    answered: 3,
    popular: [{ text: "gold", count: 2, verdict: "right" }],
    standings: Array.from({ length: 12 }, (_, i) => ({ name: `Team ${i}`, points: 12 - i, rank: i + 1 })),
    participants: 12,
    joinCode: "BCDF23",
    joinURL: "https://quiz.example/j/BCDF23",
    doorsLocked: false,
    capacity: 100,
    commands: [],
    notes: "for the host alone",
  };
}

for (const phase of ["lobby", "round", "open", "closed"] as const) {
  test(`the miniature gives nothing away: ${phase}`, () => {
    const shown = Object.keys(screenView(host(phase)));
    const secret = ["answer", "distribution", "right", "answered", "standings", "notes", "upNext", "groups", "popular"];
    assert.deepEqual(shown.filter((name) => secret.includes(name)), []);
  });
}

test("after the reveal the miniature shows the right answer, and no standings yet", () => {
  const shown = screenView(host("revealed"));
  assert.deepEqual(shown.answer, { correct: [1] });
  assert.deepEqual(shown.distribution, [1, 2]);
  assert.equal(shown.standings, undefined);
});

for (const phase of ["standings", "finished"] as const) {
  test(`the first ten stand on the television: ${phase}`, () => {
    const shown = screenView(host(phase));
    assert.equal(shown.standings?.length, 10);
    assert.equal(shown.participants, 12);
  });
}

test("what the snapshot lacks, the miniature lacks", () => {
  const { round, question, ...lobby } = host("lobby");
  assert.equal("question" in screenView(lobby), false);
});

test("the lobby's names stand in order of joining", () => {
  const of = (id: string, name: string) => ({ id, name, via: "socket" as const, answered: false, points: 0 });
  const live = screenLive({ joined: 2, connected: 1, answered: 0, participants: [of("b", "Zebras"), of("a", "Apes")] });
  assert.deepEqual(live, { joined: 2, connected: 1, answered: 0, names: ["Zebras", "Apes"] });
});
