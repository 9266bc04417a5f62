import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormatted, pastedQuestions } from "./paste";

const lines: { line: string; text: string; accepted: string[] }[] = [
  { line: "Capital of Peru? - Lima", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "Capital of Peru - Lima", text: "Capital of Peru", accepted: ["Lima"] },
  { line: "Which 1960s band - four from Liverpool - sang Help! - The Beatles", text: "Which 1960s band - four from Liverpool - sang Help!", accepted: ["The Beatles"] },
  { line: "Capital of Peru?\tLima", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "Capital of Peru | Lima", text: "Capital of Peru", accepted: ["Lima"] },
  { line: "Capital of Peru -> Lima", text: "Capital of Peru", accepted: ["Lima"] },
  { line: "Capital of Peru = Lima", text: "Capital of Peru", accepted: ["Lima"] },
  { line: "Capital of Peru? Lima", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "12. Capital of Peru? (Lima)", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "12) Capital of Peru? Answer: Lima", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "Q3: Capital of Peru? — Lima", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "• Capital of Peru? – Lima", text: "Capital of Peru?", accepted: ["Lima"] },
  { line: "Symbol of gold? - Au; Aurum / gold", text: "Symbol of gold?", accepted: ["Au", "Aurum", "gold"] },
  { line: "When did Mozart live? 1756-1791", text: "When did Mozart live?", accepted: ["1756-1791"] },
  { line: "1984 was written by? Orwell", text: "1984 was written by?", accepted: ["Orwell"] },
  { line: "Who sang Jean-Luc?", text: "Who sang Jean-Luc?", accepted: [""] },
  { line: "Name the AC/DC singer - Bon Scott", text: "Name the AC/DC singer", accepted: ["Bon Scott"] },
];

for (const { line, text, accepted } of lines) {
  test(`pasted: ${line}`, () => {
    const found = pastedQuestions(line);
    assert.deepEqual(found.map((question) => [question.kind, question.text, question.accepted]), [["text", text, accepted]]);
  });
}

test("an answer may stand on the line below, and empty lines between", () => {
  const found = pastedQuestions("1. Capital of Peru?\r\nA: Lima\r\n\r\n2. Capital of Chile?\nAnswer: Santiago\n");
  assert.deepEqual(found.map(({ text, accepted }) => [text, accepted]), [
    ["Capital of Peru?", ["Lima"]],
    ["Capital of Chile?", ["Santiago"]],
  ]);
});

test("what is too long is cut to what may be stored", () => {
  const [found] = pastedQuestions(`${"🎵".repeat(400)} | ${"x".repeat(200)}`);
  assert.equal([...(found?.text ?? "")].length, 300);
  assert.equal(found?.accepted?.[0]?.length, 100);
});

test("nothing in, nothing out", () => assert.deepEqual(pastedQuestions(" \n\t\n"), []));

const formats: { text: string; formatted: boolean }[] = [
  { text: "Capital of Peru? - Lima", formatted: false },
  { text: "What is {x}? - a set", formatted: false },
  { text: "Which?\nA. One\nB. Two\nANSWER: B", formatted: true },
  { text: "Who is buried in Grant's tomb? {=Grant ~no one}", formatted: true },
  { text: "The sky is blue {T}", formatted: true },
  { text: '{"title":"x","rounds":[]}', formatted: true },
  { text: '[{"question":"x"}]', formatted: true },
];

for (const { text, formatted } of formats) test(`formatted: ${text}`, () => assert.equal(isFormatted(text), formatted));
