import assert from "node:assert/strict";
import { test } from "node:test";
import { merge } from "./merge";

const base = "Raffle\nTable 4 pays\nBus at 11\n";

const texts: [what: string, mine: string, theirs: string, want: string][] = [
  ["only I wrote", "Raffle!\nTable 4 pays\nBus at 11\n", base, "Raffle!\nTable 4 pays\nBus at 11\n"],
  ["only they wrote", base, "Raffle\nBus at 11\n", "Raffle\nBus at 11\n"],
  ["both wrote the same", "", "", ""],
  ["I above, they below", "Raffle at ten\nTable 4 pays\nBus at 11\n", "Raffle\nTable 4 pays\nBus at 12\n", "Raffle at ten\nTable 4 pays\nBus at 12\n"],
  ["I below, they above", `${base}Cheers`, `Quiet, please\n${base}`, `Quiet, please\n${base}Cheers`],
  ["both at the end", `${base}mine`, `${base}theirs`, `${base}theirs\nmine`],
  ["both changed one word", base.replace("pays", "paid"), base.replace("pays", "left"), `${base.replace("pays", "left")}Table 4 paid`],
];

for (const [what, mine, theirs, want] of texts) {
  test(what, () => assert.equal(merge(base, mine, theirs), want));
}

test("nothing that was written is lost", () => {
  for (const [, mine, theirs] of texts) {
    const all = merge(base, mine, theirs);
    for (const word of mine.split(/\s+/).filter((word) => !base.includes(word))) assert.equal(all.includes(word), true);
    for (const word of theirs.split(/\s+/).filter((word) => !base.includes(word))) assert.equal(all.includes(word), true);
  }
});
