import assert from "node:assert/strict";
import { test } from "node:test";
import { dropped, isComplete, moved, rows, tapped } from "./ordering";

test("taps place the options one after the other, and nothing moves until the last", () => {
  const taps = [2, 0, 3];
  const placed = taps.reduce(tapped, [] as number[]);
  assert.deepEqual(placed, [2, 0, 3]);
  assert.deepEqual(rows(placed, 4), [0, 1, 2, 3]);
  assert.equal(isComplete(placed, 4), false);
  assert.deepEqual(rows(tapped(placed, 1), 4), [2, 0, 3, 1]);
});

test("a second tap takes an option out, and those after it move up", () => {
  assert.deepEqual(tapped([2, 0, 3], 0), [2, 3]);
});

const moves: [string, number[], number, number, number[]][] = [
  ["down", [2, 0, 3, 1], 0, 2, [0, 3, 2, 1]],
  ["up", [2, 0, 3, 1], 3, 0, [1, 2, 0, 3]],
  ["nowhere", [2, 0, 3, 1], 1, 1, [2, 0, 3, 1]],
  ["before all are placed, the list counts as it stands", [3], 0, 1, [1, 0, 2, 3]],
];

for (const [name, placed, from, to, want] of moves) {
  test(`a row moves: ${name}`, () => assert.deepEqual(moved(placed, 4, from, to), want));
}

const places = [
  { top: 0, height: 60 },
  { top: 70, height: 120 },
  { top: 200, height: 60 },
];

const drags: [number, number, number][] = [
  [0, 0, 0],
  [0, 99, 0], // the middles: 30, 130, 230
  [0, 101, 1],
  [0, 500, 2],
  [2, -99, 2],
  [2, -101, 1],
  [2, -500, 0],
];

for (const [from, distance, want] of drags) {
  test(`row ${from}, dragged ${distance} px, drops at ${want}`, () => assert.equal(dropped(places, from, distance), want));
}
