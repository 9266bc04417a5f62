import assert from "node:assert/strict";
import { test } from "node:test";
import { isAhead, restage } from "./lead";
import type { Phase } from "./protocol";

const cases: [string, Phase, number, boolean][] = [
  ["launched, and open in a moment", "open", 700, true],
  ["at the last moment", "open", 1, true],
  ["open", "open", 0, false],
  ["open, by a clock that is a minute behind", "open", 60_700, false],
  ["closed before it had opened", "closed", 300, false],
];
for (const [what, phase, untilOpen, ahead] of cases) {
  test(`a question that is ${what} is ${ahead ? "still ahead" : "shown"}`, () => assert.equal(isAhead({ phase }, untilOpen), ahead));
}

test("what was shown is held while the next is ahead, and each keeps its place", () => {
  let stage = restage(undefined, "round", false);
  const seen = [stage];
  for (const [view, ahead] of [["launched", true], ["paused", true], ["open", false], ["closed", false], ["launched", true], ["open", false]] as const) {
    seen.push((stage = restage(stage, view, ahead)));
  }
  assert.deepEqual(seen.map((stage) => stage.map((staged) => `${staged.key} ${staged.view} ${staged.is}`)), [
    ["0 round shown"],
    ["0 round held", "1 launched waiting"],
    ["0 round held", "1 paused waiting"],
    ["1 open shown"],
    ["1 closed shown"],
    ["1 closed held", "2 launched waiting"],
    ["2 open shown"],
  ]);
});

test("who comes before a question opens has nothing to hold", () => {
  const [waiting, none] = restage(undefined, "launched", true);
  assert.deepEqual([waiting.is, none], ["waiting", undefined]);
  assert.deepEqual(restage([waiting], "open", false), [{ key: waiting.key, view: "open", is: "shown" }]);
});
