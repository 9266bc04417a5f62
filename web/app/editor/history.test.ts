import assert from "node:assert/strict";
import { test } from "node:test";
import { fromContent } from "./draft";
import { addQuestion, addRound, changeQuestion, type Editing } from "./edits";
import { begun, type History, redone, stepped, undone } from "./history";

const start: Editing = {
  draft: fromContent({ title: "", rounds: [{ title: "One", introduction: "", questions: [{ kind: "text", text: "", seconds: 30, points: 1, notes: "" }] }] }),
  at: { round: 0, question: 0 },
};

const typed = (history: History, text: string, at: number, field = "text"): History =>
  stepped(history, { draft: changeQuestion(history.now.draft, 0, 0, { text }), at: history.now.at }, { field, at });

const text = ({ now }: History) => now.draft.rounds[0]?.questions[0]?.text;

test("nothing can be undone before anything was done, or redone after it", () => {
  const history = begun(start);
  assert.equal(undone(history).now, start);
  assert.equal(redone(history).now, start);
  assert.equal(redone(stepped(history, addRound(start))).now.draft.rounds.length, 2);
});

test("every step comes back, one after the other, as it was", () => {
  const one = stepped(begun(start), addRound(start));
  const two = stepped(one, addQuestion(one.now, 1));
  assert.equal(undone(two).now, one.now);
  assert.equal(undone(undone(two)).now, start);
  assert.equal(redone(undone(two)).now, two.now);
  assert.equal(redone(redone(undone(undone(two)))).now, two.now);
});

test("what was undone is gone once something else is done", () => {
  const undoneOnce = undone(stepped(begun(start), addRound(start)));
  const other = typed(undoneOnce, "other", 0);
  assert.equal(redone(other).now, other.now);
  assert.equal(undone(other).now, start);
});

const typings: { name: string; history: () => History; left: string }[] = [
  { name: "in one go is one step", history: () => typed(typed(typed(begun(start), "a", 0), "ab", 1_000), "abc", 2_000), left: "" },
  { name: "after a rest is another step", history: () => typed(typed(begun(start), "a", 0), "ab", 1_500), left: "a" },
  { name: "in another field is another step", history: () => typed(typed(begun(start), "a", 0), "ab", 10, "notes"), left: "a" },
  {
    name: "after looking elsewhere is another step",
    history: () => {
      const before = typed(begun(start), "a", 0);
      return typed(stepped(before, { draft: before.now.draft, at: {} }), "ab", 10);
    },
    left: "a",
  },
  { name: "after going back is another step", history: () => typed(undone(typed(typed(begun(start), "a", 0), "ab", 2_000)), "ac", 2_010), left: "a" },
];

for (const { name, history, left } of typings) {
  test(`typing ${name}`, () => assert.equal(text(undone(history())), left));
}

test("looking elsewhere is no step, and going back leads to where it was done", () => {
  const done = typed(begun(start), "a", 0);
  const looked = stepped(done, { draft: done.now.draft, at: {} });
  assert.equal(looked.past.length, 1);
  assert.deepEqual(undone(looked).now.at, { round: 0, question: 0 });
});
