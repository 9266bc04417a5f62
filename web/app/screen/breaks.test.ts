import assert from "node:assert/strict";
import { test } from "node:test";
import { breakAt } from "./breaks";

const none = { until: Infinity };

for (const [what, phase, pictures, elapsed, want] of [
  ["nothing in the lobby", "lobby", 3, 1_000_000, none],
  ["nothing during a question", "open", 3, 1_000_000, none],
  ["nothing after the end", "finished", 3, 1_000_000, none],
  ["nothing where there are no pictures", "round", 0, 1_000_000, none],
  ["the round first", "round", 3, 0, { until: 20_000 }],
  ["the round until its time is over", "round", 3, 19_999, { until: 20_000 }],
  ["then the first picture", "round", 3, 20_000, { picture: 0, until: 30_000 }],
  ["then the next", "round", 3, 30_000, { picture: 1, until: 40_000 }],
  ["then the last", "round", 3, 49_999, { picture: 2, until: 50_000 }],
  ["then the round again", "round", 3, 50_000, { until: 70_000 }],
  ["and the pictures again", "round", 3, 70_000, { picture: 0, until: 80_000 }],
  ["the standings for as long as they are read out", "standings", 1, 89_999, { until: 90_000 }],
  ["and then a picture", "standings", 1, 90_000, { picture: 0, until: 100_000 }],
] as const) {
  test(`a break shows ${what}`, () => assert.deepEqual(breakAt(phase, pictures, elapsed), want));
}
