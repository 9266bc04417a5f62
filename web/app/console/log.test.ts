import assert from "node:assert/strict";
import { test } from "node:test";
import { logLines, logSentence } from "./log";

const sentences: [string, Record<string, unknown>, string][] = [
  ["launch", { question: "2.1" }, "Question 2.1 was launched."],
  ["timeUp", { question: "2.1" }, "Time was up for question 2.1."],
  ["extend", { question: "2.1", seconds: 30 }, "Question 2.1 was given 30 seconds more."],
  ["adjust", { names: ["The Owls"], points: -1.5, reason: "shouting" }, "The Owls lost 1½ points: shouting"],
  ["adjust", { names: ["The Owls"], points: 0.5, reason: "best name" }, "The Owls got ½ point: best name"],
  ["mark", { question: "1.3", group: "goldd", verdict: "half" }, "Question 1.3: “goldd” was half accepted."],
  ["mark", { question: "1.3", group: "goldd", verdict: "machine" }, "Question 1.3: “goldd” was left to the machine again."],
  ["remove", { names: ["The Owls"] }, "The Owls was removed."],
  ["letBackIn", { names: ["The Owls"] }, "The Owls was let back in."],
  ["letBackIn", { names: ["The Owls"], name: "Owls 2" }, "The Owls was let back in, as Owls 2."],
  ["shutOut", { names: ["x", "y"] }, "The doors were locked, and 2 players were removed: x, y."],
  ["rename", { names: ["x"], name: "y" }, "x was renamed to y."],
  ["admitCohost", { names: ["Ben"] }, "Ben came to host, too."],
  ["removeCohost", { names: ["Ben"] }, "Ben no longer hosts."],
];

for (const [command, detail, want] of sentences) {
  test(`the log in sentences: ${want}`, () => {
    assert.equal(logSentence({ version: 3, at: "2026-01-01T20:00:00Z", command, detail }), want);
  });
}

test("where several hosts did something, each line says who it was", () => {
  const entry = (command: string, actor?: string) => ({ version: 3, at: "2026-01-01T20:00:00Z", command, detail: { question: "1.1" }, ...(actor && { actor }) });
  assert.deepEqual(logLines([entry("close", "Ann"), entry("timeUp"), entry("launch", "Ann")]), [
    "Question 1.1 was closed.",
    "Time was up for question 1.1.",
    "Question 1.1 was launched.",
  ]);
  assert.deepEqual(logLines([entry("close", "Ben"), entry("timeUp"), entry("launch", "Ann")]), [
    "Question 1.1 was closed. (Ben)",
    "Time was up for question 1.1.",
    "Question 1.1 was launched. (Ann)",
  ]);
});
