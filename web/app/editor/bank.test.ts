import assert from "node:assert/strict";
import { test } from "node:test";
import { bankKey, type BankQuestion, byRound } from "./bank";

const at = (quiz: string, round: number, number: number): BankQuestion => ({
  quiz: { id: quiz, title: "Quiz" },
  round: { number: round, title: "Round" },
  number,
  question: { kind: "text", text: "", accepted: [], seconds: 30, points: 1, notes: "" },
});

test("questions are told apart, and put together round by round", () => {
  const found = [at("1", 1, 1), at("1", 2, 1), at("1", 1, 2), at("11", 1, 1)];
  assert.equal(new Set(found.map(bankKey)).size, found.length);
  assert.deepEqual(byRound(found).map((round) => round.map(bankKey)), [["1 1.1", "1 1.2"], ["1 2.1"], ["11 1.1"]]);
});
