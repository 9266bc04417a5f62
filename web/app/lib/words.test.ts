import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, numberWords, ordinal, points, pointsLong } from "./words";

test("points are written in halves", () => {
  assert.deepEqual([0, 0.5, 1, 4.5, 12, -0.5, -2.5, 1200.5].map(points), ["0", "½", "1", "4½", "12", "−½", "−2½", "1,200½"]);
});

test("points take their noun", () => {
  assert.deepEqual([0, 0.5, 1, 1.5, 2, -1, -0.5].map(pointsLong), ["0 points", "½ point", "1 point", "1½ points", "2 points", "−1 point", "−½ point"]);
});

test("years keep together", () => {
  assert.deepEqual([numberWords(1822), numberWords(2850, "km"), numberWords(-0.25)], ["1822", "2,850 km", "−0.25"]);
});

test("thousands stand apart", () => {
  assert.deepEqual([0, 999, 1200, 12000].map(grouped), ["0", "999", "1,200", "12,000"]);
});

test("ranks are ordinals", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 102].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd"]);
});
