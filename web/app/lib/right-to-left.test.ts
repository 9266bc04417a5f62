import assert from "node:assert/strict";
import { test } from "node:test";

// The page of this test is Arabic, which the modules find when they begin.
Object.assign(globalThis, { document: { documentElement: { lang: "ar" } } });
const { t } = await import("./language");
const { numberWords, ordinal, points, pointsLong } = await import("./words");

test("signs stay beside their digits", () => {
  assert.deepEqual([4.5, -2, 1200].map(points), ["\u200e4½\u200e", "\u200e−2\u200e", "\u200e1,200\u200e"]);
  assert.equal(pointsLong(-0.5), "\u200e−½\u200e point");
  assert.equal(numberWords(-3.5), "\u200e−3.5");
});

test("digits are written as everywhere", () => {
  assert.equal(ordinal(3), "3th"); // Arabic has one form for all ranks
  assert.equal(t("{n} of {all}", { n: 3, all: 1200 }), "3 of 1,200");
});

test("what is written from left to right is kept apart", () => {
  assert.equal(t("{who} is here", { who: "Ada" }), "\u2068Ada\u2069 is here");
  assert.equal(t("{who} is here", { who: "ليلى" }), "ليلى is here");
});
