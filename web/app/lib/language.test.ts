import assert from "node:assert/strict";
import { test } from "node:test";
import { rich, t } from "./language";

test("values take the place of their names", () => {
  assert.equal(t("Nothing to say"), "Nothing to say");
  assert.equal(t("{who} got {points}", { who: "Ada", points: 1200 }), "Ada got 1,200");
  assert.deepEqual(rich("Use {name}, or not", { name: "Ada" }), ["Use ", "Ada", ", or not"]);
});

test("a number decides the form", () => {
  const answers = (n: number) => t({ one: "{n} answer", other: "{n} answers" }, { n });
  assert.deepEqual([answers(0), answers(1), answers(2)], ["0 answers", "1 answer", "2 answers"]);
  assert.equal(t({ one: "one is {who}", other: "{who} are" }, { n: 1, who: "Ada" }), "one is Ada");
});

test("what is written in the other direction is kept apart", () => {
  assert.equal(t("{who} is here", { who: "ליאת" }), "\u2068ליאת\u2069 is here");
});
