import assert from "node:assert/strict";
import { test } from "node:test";
import { change, type Change, type ChosenFile, type Import, size, suggestedTitle, tally, together } from "./files";

const question = (text: string) => ({ kind: "text" as const, text, accepted: ["x"], seconds: 30, points: 1, notes: "" });

const found: Import = {
  format: "a sheet",
  counts: "row",
  content: {
    title: "May",
    language: "en",
    rounds: [
      { title: "One", introduction: "", questions: [question("a"), question("b")] },
      { title: "Two", introduction: "", questions: [question("c")] },
    ],
  },
  rows: [
    { row: 2, status: "fine", text: "a", at: { round: 0, question: 0 } },
    { row: 3, status: "skipped", text: "?", notes: [{ detail: "No." }] },
    { row: 4, status: "changed", text: "b", at: { round: 0, question: 1 }, notes: [{ detail: "Shorter." }] },
    { row: 5, status: "fine", text: "c", at: { round: 1, question: 0 } },
  ],
};

const after = (...changes: Change[]) => changes.reduce<ChosenFile[]>(change, []);
const read: Change[] = [
  { do: "add", key: 1, name: "may.csv" },
  { do: "read", key: 1, found },
];

test("a file is sent, and read", () => {
  const files = after({ do: "add", key: 1, name: "may.csv" }, { do: "sent", key: 1, share: 0.5 });
  assert.deepEqual(files[0]?.state, { name: "sending", share: 0.5 });
  assert.equal(suggestedTitle(files), "");
  assert.equal(suggestedTitle(after(...read)), "May");
});

test("progress that comes late changes nothing", () => {
  assert.equal(after(...read, { do: "sent", key: 1, share: 1 })[0]?.state.name, "read");
});

test("everything that was taken is wanted at first", () => {
  const content = together(after(...read), "A title");
  assert.deepEqual(content, { ...found.content, title: "A title" });
  assert.equal(size(content), "3 questions in 2 rounds");
});

test("rows can be left out, and taken again", () => {
  const without: Change[] = [...read, { do: "take", key: 1, rows: [0, 3], wanted: false }];
  const texts = (files: ChosenFile[]) => together(files, "").rounds.map((round) => round.questions.map(({ text }) => text));
  assert.deepEqual(texts(after(...without)), [["b"]]);
  assert.deepEqual(texts(after(...without, { do: "take", key: 1, rows: [3], wanted: true })), [["b"], ["c"]]);
});

test("files follow one another, and can be taken away", () => {
  const second: Change[] = [
    { do: "add", key: 2, name: "bad.pdf" },
    { do: "refuse", key: 2, reason: "A PDF cannot be read." },
    { do: "add", key: 3, name: "june.csv" },
    { do: "read", key: 3, found: { ...found, content: { ...found.content, title: "June" } } },
  ];
  assert.equal(size(together(after(...read, ...second), "")), "6 questions in 4 rounds");
  const left = after(...read, ...second, { do: "remove", key: 1 });
  assert.equal(left.length, 2);
  assert.equal(suggestedTitle(left), "June");
});

test("rounds without questions in the file itself stay", () => {
  const empty: Import = { ...found, rows: [], content: { title: "x", rounds: [{ title: "Later", introduction: "", questions: [] }] } };
  assert.equal(size(together(after({ do: "add", key: 1, name: "x" }, { do: "read", key: 1, found: empty }), "")), "0 questions in 1 round");
});

test("the tally counts every row", () => {
  assert.deepEqual(tally(found), { fine: 2, changed: 1, skipped: 1 });
});
