import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerClock } from "./clock";

/** A device whose clock stands at 1000 while the server's stands at 1000 + ahead. */
function device() {
  let local = 1_000;
  const clock = new ServerClock(() => local);
  return { clock, set: (time: number) => (local = time), offset: () => clock.now() - local };
}

test("before the first reading the device's clock has to do", () => {
  assert.equal(device().offset(), 0);
});

test("a reading is taken to be from the middle of its round trip", () => {
  const { clock, offset } = device();
  clock.read(50_500, 1_000, 1_200);
  assert.equal(offset(), 49_400);
});

test("the offset may be negative", () => {
  const { clock, offset } = device();
  clock.read(400, 1_000, 1_000);
  assert.equal(offset(), -600);
});

test("the least round trip decides, whenever it came", () => {
  const { clock, offset } = device();
  clock.read(6_010, 1_000, 1_020); // 5,000 ahead, give or take 10
  clock.read(6_500, 1_000, 3_000); // a slow one, whose middle would say 4,500
  assert.equal(offset(), 5_000);
});

test("what the server says unasked only bounds the offset from below", () => {
  const { clock, offset } = device();
  clock.read(6_000, 1_000, 1_400); // from 4,600 to 5,000
  clock.read(5_900, -Infinity, 1_000); // at least 4,900
  assert.equal(offset(), 4_950);
});

test("a device whose clock was set starts over", () => {
  const { clock, offset } = device();
  clock.read(6_000, 1_000, 1_000);
  clock.read(6_500, 100_000, 100_020);
  assert.equal(offset(), -93_510);
});

test("after a doubt the next reading stands alone, and until then the offset stays", () => {
  const { clock, offset } = device();
  clock.read(6_000, 1_000, 1_000);
  clock.doubt();
  assert.equal(offset(), 5_000);
  clock.read(6_100, 1_000, 1_400);
  assert.equal(offset(), 4_900);
});

test("what an earlier page knew holds until the first reading", () => {
  const clock = new ServerClock(() => 1_000);
  clock.assume(-400);
  assert.equal(clock.now(), 600);
  clock.read(5_000, 990, 1_010);
  assert.equal(clock.now(), 5_000);
});
