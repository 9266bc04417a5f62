import assert from "node:assert/strict";
import { test } from "node:test";
import type { Snapshot } from "../lib/protocol";
import { keep, kept } from "../lib/storage";
import { forgetLastState, keepLastState, type LastState, lastState } from "./last-state";

const state: LastState = {
  session: "s1",
  shared: { epoch: "e", version: 7, phase: "round", title: "Tuesday" } as Snapshot,
  personal: { participant: "p", name: "The Owls", points: 2 },
  ahead: -1_500,
};

test("a phone finds again what it knew of its session, and of no other", () => {
  keepLastState(state);
  const { session, shared, personal, ahead } = lastState("s1")!;
  assert.deepEqual({ session, shared, personal, ahead }, state);
  assert.equal(lastState("s2"), undefined);
});

test("what another version of the page has kept is not shown", () => {
  keepLastState(state);
  keep("last-state", JSON.stringify({ ...JSON.parse(kept("last-state")!), version: "another" }));
  assert.equal(lastState("s1"), undefined);
});

test("a phone with another seat has forgotten the last one's", () => {
  keepLastState(state);
  forgetLastState();
  assert.equal(lastState("s1"), undefined);
});
