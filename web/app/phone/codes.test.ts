import assert from "node:assert/strict";
import { test } from "node:test";
import { lettersOf, mayRejoin } from "./codes";

const typed: [string, boolean][] = [
  ["", false],
  ["R9G88Z", false],
  ["r9g-88z", false],
  ["r9g 880", false],
  ["R9G88YY", false],
  ["R9G88YYZZ", false],
  ["R9G88YYZ", true],
  ["r9g8-8yyz", true],
  [" R9G8 8YYZ", true],
];

for (const [code, want] of typed) {
  test(`${JSON.stringify(code)} can ${want ? "" : "not "}be a rejoin code`, () => assert.equal(mayRejoin(code), want));
}

test("spaces and dashes in a code do not count", () => assert.equal(lettersOf(" r9g–88 z"), "r9g88z"));
