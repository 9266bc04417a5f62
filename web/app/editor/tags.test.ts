import assert from "node:assert/strict";
import { test } from "node:test";
import { tagsOf } from "./tags";

const cases: { typed: string; tags: string[] }[] = [
  { typed: "", tags: [] },
  { typed: " , ,", tags: [] },
  { typed: "history", tags: ["history"] },
  { typed: "history, easy ,  two  words,", tags: ["history", "easy", "two words"] },
  { typed: "easy, easy", tags: ["easy"] },
  { typed: "🎵".repeat(50), tags: ["🎵".repeat(40)] },
  { typed: Array.from({ length: 20 }, (_, i) => i).join(","), tags: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] },
];

for (const { typed, tags } of cases) test(`tags of "${typed}"`, () => assert.deepEqual(tagsOf(typed), tags));
