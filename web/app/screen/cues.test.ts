import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question, Snapshot } from "../lib/protocol";
import { ahead, heard, type Sound } from "./cues";

const asked: Question = { id: "1.1", number: 1, kind: "single", text: "Au?", options: ["Silver", "Gold"], points: 1, seconds: 30 };

function at(phase: Snapshot["phase"], more: Partial<Snapshot> = {}): Snapshot {
  const times = phase === "open" ? { opensAt: 1_000, closesAt: 31_000 } : {};
  return { epoch: "e", version: 7, role: "screen", phase, title: "Tuesday", rounds: 1, question: asked, ...times, ...more };
}

const countdown = ["tick", "tick", "tick", "tick", "tick", "timeUp"];

for (const [what, snapshot, now, want] of [
  ["a question that is about to open", at("open"), 900, ["opened", ...countdown]],
  ["one that is open", at("open"), 1_000, countdown],
  ["one with two seconds left", at("open"), 28_500, ["tick", "tick", "timeUp"]],
  ["one whose time is over", at("open"), 31_000, []],
  ["a paused clock", at("open", { pausedAt: 9_000 }), 10_000, []],
  ["one that counts for nobody", at("open", { voided: true }), 1_000, []],
  ["a question with a picture", at("open", { question: { ...asked, media: { id: "m", kind: "image" } } }), 900, ["opened", ...countdown]],
  ["a question with a sound of its own", at("open", { question: { ...asked, media: { id: "m", kind: "audio" } } }), 900, countdown],
  ["the lobby", at("lobby"), 0, []],
  ["a closed question", at("closed"), 0, []],
] as const) {
  test(`ahead of ${what}`, () => assert.deepEqual(ahead(snapshot, now).map(({ sound }) => sound), want));
}

test("the last five seconds are counted, one by one", () => {
  assert.deepEqual(ahead(at("open"), 2_000).map((cue) => cue.at), [26_000, 27_000, 28_000, 29_000, 30_000, 31_000]);
});

const next = { version: 8 };
for (const [what, before, after, now, want] of [
  ["at the start", undefined, at("revealed"), 0, undefined],
  ["after a host closed early", at("open"), at("closed", next), 12_000, "timeUp"],
  ["after a host closed what was paused", at("open", { pausedAt: 30_000 }), at("closed", next), 40_000, "timeUp"],
  ["after the clock closed", at("open"), at("closed", next), 31_750, undefined],
  ["at a reveal", at("closed"), at("revealed", next), 0, "revealed"],
  ["at the next reveal of a round's end", at("revealed"), at("revealed", { ...next, question: { ...asked, id: "1.2" } }), 0, "revealed"],
  ["when a revealed question is voided", at("revealed"), at("revealed", { ...next, voided: true }), 0, undefined],
  ["at a slide", at("closed"), at("revealed", { ...next, question: { ...asked, kind: "slide" } }), 0, undefined],
  ["at standings", at("revealed"), at("standings", next), 0, undefined],
  ["at the end", at("standings"), at("finished", next), 0, "finished"],
  ["when another session takes its place", at("closed"), at("revealed", { epoch: "f" }), 0, undefined],
  ["when the host steps back from the standings", at("standings"), at("revealed", next), 0, undefined],
] as [string, Snapshot | undefined, Snapshot, number, Sound | undefined][]) {
  test(`heard ${what}`, () => assert.equal(heard(before, after, now), want));
}
