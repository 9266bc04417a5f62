import assert from "node:assert/strict";
import { test } from "node:test";
import { type Random, retryWait } from "./schedule";

// A hundred phones whom a limit refused in the same moment.
const phones = 100;
const retryAfter = 12;

/** Chance that repeats: Mulberry32. */
function seeded(seed: number): Random {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** When the phones come back, in order. */
function comeBack(attempt: number, random: Random): number[] {
  return Array.from({ length: phones }, () => retryWait(retryAfter, attempt, random)).sort((a, b) => a - b);
}

/** The most of the times, in order, that share one tenth of a second. */
function busiestTenth(times: number[]): number {
  const tenths = new Map<number, number>();
  for (const time of times) tenths.set(Math.floor(time / 100), (tenths.get(Math.floor(time / 100)) ?? 0) + 1);
  return Math.max(...tenths.values());
}

test("phones refused together come back spread out, at most 7 in one tenth of a second", () => {
  const rooms = Array.from({ length: 200 }, (_, seed) => comeBack(0, seeded(seed)));
  for (const times of rooms) {
    assert(times[0]! >= retryAfter * 1_000, "none before the time");
    assert(times.at(-1)! < (retryAfter + 5) * 1_000, "all within five seconds");
  }
  const worst = rooms.map(busiestTenth).sort((a, b) => a - b);
  assert.equal(worst.at(-1)! < phones / 8, true, `in the unluckiest room ${worst.at(-1)} in one tenth of a second`);
  assert.equal(worst[Math.floor(0.9 * worst.length)]! <= 7, true, `in nine rooms of ten at most ${worst[180]} in one tenth of a second`);
});

test("phones refused again spread further with every attempt", () => {
  const spreads = [0, 1, 3, 5].map((attempt) => {
    const times = comeBack(attempt, seeded(attempt));
    return times.at(-1)! - times[0]!;
  });
  for (let i = 1; i < spreads.length; i++) assert(spreads[i]! > spreads[i - 1]!, `spreads: ${spreads}`);
  assert(spreads.at(-1)! > 25_000, `after five refusals they take ${spreads.at(-1)} ms`);
});
