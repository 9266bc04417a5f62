import assert from "node:assert/strict";
import { test } from "node:test";
import type { Participant } from "../lib/protocol";
import { between, choose, found, ids, joinedAfter } from "./chosen";

const room = ["Ada", "Über 9000", "bot 1", "BOT 2", "Zoë"].map(
  (name, i): Participant => ({ id: `p${i}`, name, via: "socket", answered: false, points: 0 }),
);

test("everyone who joined after somebody", () => {
  assert.deepEqual(joinedAfter(room, "p1"), ["p2", "p3", "p4"]);
  assert.deepEqual(joinedAfter(room, "p4"), []);
  assert.deepEqual(joinedAfter(room, "gone"), []);
});

test("from one to another, in either direction; alone where one is not listed", () => {
  assert.deepEqual(between(room, "p1", "p3"), ["p1", "p2", "p3"]);
  assert.deepEqual(between(room, "p3", "p1"), ["p1", "p2", "p3"]);
  assert.deepEqual(between(room, "gone", "p1"), ["p1"]);
});

test("a name is found by any part of it, whatever its case and accents", () => {
  assert.deepEqual(ids(found(room, " bot ")), ["p2", "p3"]);
  assert.deepEqual(ids(found(room, "zoe")), ["p4"]);
  assert.deepEqual(ids(found(room, "uber")), ["p1"]);
  assert.deepEqual(found(room, "  "), room);
});

test("choosing adds and takes out, and leaves what was", () => {
  const before = new Set(["p1"]);
  assert.deepEqual([...choose(before, ["p2", "p1"], true)], ["p1", "p2"]);
  assert.deepEqual([...choose(before, ["p1", "p2"], false)], []);
  assert.deepEqual([...before], ["p1"]);
});
