import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuizContent, QuizQuestion } from "../lib/protocol";
import { fromContent, type Place, toContent } from "./draft";
import { addQuestion, addRound, changeQuestion, duplicate, type Editing, move, remove, restore } from "./edits";

const single = (text: string): QuizQuestion => ({ kind: "single", text, options: ["Yes", "No"], correct: [1], seconds: 20, points: 2, notes: "" });

const content: QuizContent = {
  title: "Quiz",
  rounds: [
    { title: "One", introduction: "", questions: [single("a"), single("b")] },
    { title: "Two", introduction: "", questions: [single("c")] },
  ],
};

function editing(at: Place): Editing {
  return { draft: fromContent(content), at };
}

/** The questions as a line: "ab|c", and where the editing is. */
function line({ draft, at }: Editing): string {
  const texts = draft.rounds.map((round) => round.questions.map((question) => question.text || "_").join(""));
  return `${texts.join("|")} ${at.round ?? ""}.${at.question ?? ""}`;
}

test("what is read is what is saved", () => {
  assert.deepEqual(toContent(fromContent(content)), content);
});

test("a question is saved with the members of its kind alone, and keeps the others while it is edited", () => {
  const draft = fromContent(content);
  const typed = changeQuestion(draft, 0, 0, { kind: "text", accepted: ["gold"] });
  assert.deepEqual(toContent(typed).rounds[0]?.questions[0], { kind: "text", text: "a", accepted: ["gold"], seconds: 20, points: 2, notes: "" });
  const back = changeQuestion(typed, 0, 0, { kind: "single" });
  assert.deepEqual(toContent(back), content);
});

test("true or false has two answers, whichever option was right before", () => {
  const draft = changeQuestion(fromContent(content), 0, 0, { kind: "trueFalse", correct: 3 });
  assert.deepEqual(toContent(draft).rounds[0]?.questions[0]?.correct, [1]);
});

const moves: { name: string; at: Place; step: -1 | 1; line: string }[] = [
  { name: "down in its round", at: { round: 0, question: 0 }, step: 1, line: "ba|c 0.1" },
  { name: "down into the next round", at: { round: 0, question: 1 }, step: 1, line: "a|bc 1.0" },
  { name: "up into the round before", at: { round: 1, question: 0 }, step: -1, line: "abc| 0.2" },
  { name: "not beyond the first", at: { round: 0, question: 0 }, step: -1, line: "ab|c 0.0" },
  { name: "not beyond the last", at: { round: 1, question: 0 }, step: 1, line: "ab|c 1.0" },
  { name: "a round with its questions", at: { round: 0 }, step: 1, line: "c|ab 1." },
  { name: "not the quiz itself", at: {}, step: 1, line: "ab|c ." },
];

for (const { name, at, step, line: want } of moves) {
  test(`move: ${name}`, () => assert.equal(line(move(editing(at), step)), want));
}

test("a new question follows the one being edited, as long and worth as much", () => {
  const added = addQuestion(editing({ round: 0, question: 0 }), 0);
  assert.equal(line(added), "a_b|c 0.1");
  assert.equal(added.draft.rounds[0]?.questions[1]?.seconds, 20);
  assert.equal(line(addQuestion(editing({ round: 0, question: 0 }), 1)), "ab|c_ 1.1");
});

test("a new round stands at the end, with a first question", () => {
  assert.equal(line(addRound(editing({}))), "ab|c|_ 2.");
});

test("a copy stands beside its original and is told apart from it", () => {
  const question = duplicate(editing({ round: 0, question: 1 }));
  assert.equal(line(question), "abb|c 0.2");
  const round = duplicate(editing({ round: 0 }));
  assert.equal(line(round), "ab|ab|c 1.");
  for (const { draft } of [question, round]) {
    const keys = [...draft.rounds, ...draft.rounds.flatMap((round) => round.questions)].map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
  }
});

for (const at of [{ round: 0 }, { round: 1 }, { round: 0, question: 0 }, { round: 0, question: 1 }, { round: 1, question: 0 }]) {
  test(`what was deleted comes back where it was: ${JSON.stringify(at)}`, () => {
    const before = editing(at);
    const { deleted, ...after } = remove(before);
    assert(deleted);
    assert.deepEqual(restore(after, deleted), before);
  });
}

test("a question whose round is gone as well does not come back alone", () => {
  const { deleted, ...after } = remove(editing({ round: 0, question: 0 }));
  assert(deleted);
  const gone = remove({ ...after, at: { round: 0 } });
  assert.equal(line(restore(gone, deleted)), "c 0.");
});
