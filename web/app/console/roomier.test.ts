import assert from "node:assert/strict";
import { test } from "node:test";
import { roomier } from "./roomier";

test("more places are offered by fifties, as far as they are allowed", () => {
  for (const [capacity, allowed, want] of [
    [100, 2000, 150],
    [99, 2000, 100],
    [30, 150, 50],
    [120, 130, 130],
    [1980, 2000, 2000],
    [30, 30, 50], // and the server says why not, or has meanwhile heard of another plan
    [400, 30, 450],
  ] as const) {
    assert.equal(roomier(capacity, allowed), want, `${capacity} of ${allowed}`);
  }
});
