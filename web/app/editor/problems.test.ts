import assert from "node:assert/strict";
import { test } from "node:test";
import type { Kind } from "../lib/protocol";
import { fromContent, type Place } from "./draft";
import { nameOf, pathOf, placeOf, troubled } from "./problems";

const places: { path: string; place: Place; form: string }[] = [
  { path: "title", place: {}, form: "" },
  { path: "rounds", place: {}, form: "" },
  { path: "rounds[3].title", place: { round: 3 }, form: "rounds[3]" },
  { path: "rounds[3].questions", place: { round: 3 }, form: "rounds[3]" },
  { path: "rounds[0].questions[12].options[1]", place: { round: 0, question: 12 }, form: "rounds[0].questions[12]" },
];

for (const { path, place, form } of places) {
  test(`${path} is shown in the form of ${form || "the quiz"}`, () => {
    assert.deepEqual(placeOf(path), place);
    assert.equal(pathOf(place), form);
  });
}

test("trouble shows where it is mended, not above it", () => {
  const problems = [{ path: "rounds[0].questions[1].text", detail: "Write the question." }];
  assert.equal(troubled(problems, { round: 0, question: 1 }), true);
  assert.equal(troubled(problems, { round: 0, question: 11 }), false);
  assert.equal(troubled(problems, { round: 0 }), false);
  assert.equal(troubled(problems, {}), false);
});

test("what a problem is about is named down to the option", () => {
  const question = (kind: Kind) => ({ kind, text: "?", options: ["Tin", "", ""], points: 2, seconds: 30, notes: "" });
  const draft = fromContent({ title: "Tuesday", rounds: [{ title: "One", introduction: "", questions: [question("single"), question("ordering")] }] });
  assert.equal(nameOf(draft, "rounds[0].questions[0].options[2]"), "One, question 1, option C");
  assert.equal(nameOf(draft, "rounds[0].questions[0].text"), "One, question 1");
  assert.equal(nameOf(draft, "rounds[0].questions[1].options[2]"), "One, question 2");
  assert.equal(nameOf(draft, "title"), "The quiz");
});
