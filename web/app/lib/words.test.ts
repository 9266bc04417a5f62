import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, ordinal, plural, points, pointsLong } from "./words";

test("points are written in halves", () => {
  assert.deepEqual([0, 0.5, 1, 4.5, 12, -0.5, -2.5].map(points), ["0", "½", "1", "4½", "12", "−½", "−2½"]);
});

test("points take their noun", () => {
  assert.deepEqual([0, 0.5, 1, 1.5, 2].map(pointsLong), ["0 points", "½ point", "1 point", "1½ points", "2 points"]);
});

test("counts take their noun", () => {
  assert.deepEqual([0, 1, 2].map((n) => plural(n, "answer", "answers")), ["0 answers", "1 answer", "2 answers"]);
});

test("thousands stand apart", () => {
  assert.deepEqual([0, 999, 1200, 12000].map(grouped), ["0", "999", "1,200", "12,000"]);
});

test("ranks are ordinals", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 102].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd"]);
});
