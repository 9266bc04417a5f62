import assert from "node:assert/strict";
import { test } from "node:test";
import type { Refusal } from "../lib/protocol";
import { chipWords, queueing, refusalsOf, refusalWords, standingWords, waitWords } from "./refusals";

const one = (limiter: string, count: number, who: Partial<Refusal> = {}): Refusal => ({ limiter, count, at: 1, ...who });
const quizzards = { participant: "p1", name: "The Quizzards" };

const sentences: readonly (readonly [Refusal, string])[] = [
  [one("submitAnswer", 3, quizzards), "The Quizzards was asked to slow down: too many answers (3×)"],
  [one("sessionPoll", 1, quizzards), "The Quizzards was asked to slow down: it asked for news too often (1×)"],
  [one("socketOpen", 2, quizzards), "The Quizzards was asked to slow down: it connected too often (2×)"],
  [one("somethingNew", 2, quizzards), "The Quizzards was asked to slow down: too much at once (2×)"],
  [one("submitAnswer", 1, { participant: "p2" }), "A phone was asked to slow down: too many answers (1×)"],
  [one("joinSession", 12), "12 tries to join had to wait: too many in one minute"],
  [one("joinSession", 1), "1 try to join had to wait: too many in one minute"],
  [one("playerPageLoad", 4), "4 visits to the join page had to wait: too many in one minute"],
  [one("global", 7), "7 requests from the door had to wait: too many in one minute"],
];

for (const [refusal, sentence] of sentences) {
  test(`in plain words: ${sentence}`, () => assert.equal(refusalWords(refusal), sentence));
}

test("who had to wait is told by name, where there is one", () => {
  assert.equal(waitWords(one("submitAnswer", 1, quizzards)), "The Quizzards had to wait");
  assert.equal(waitWords(one("joinSession", 1)), "Phones on the way in had to wait");
});

test("who is in and slowed down is known by id, who waits at the door is not", () => {
  const room = { refused: [one("submitAnswer", 1, quizzards), one("sessionPoll", 2, quizzards), one("joinSession", 1)] };
  assert.deepEqual([...refusalsOf(room)], [["p1", room.refused.slice(0, 2)]]);
  assert.equal(queueing(room), true);
  assert.equal(queueing({ refused: room.refused.slice(0, 2) }), false);
  assert.equal(refusalsOf(undefined).size, 0);
});

test("a phone's row says which limit it was, and what it means", () => {
  assert.equal(chipWords(one("submitAnswer", 3, quizzards)), "slowed: answers");
  assert.equal(chipWords(one("somethingNew", 3, quizzards)), "slowed");
  assert.equal(standingWords("socket", []), "Live: its phone hears of everything at once.");
  assert.equal(standingWords("socket", [one("submitAnswer", 3, quizzards)]).includes("at once. It was asked to slow down: too many answers (3×). It goes on by itself"), true);
});
