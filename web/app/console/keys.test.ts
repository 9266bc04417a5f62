import assert from "node:assert/strict";
import { test } from "node:test";
import { type Group, actionOf, groups, keyOf, shownKeyOf } from "./keys";

const pressed: [Group, string, string | undefined][] = [
  ["evening", " ", "step"],
  ["evening", "Backspace", "back"],
  ["evening", "b", "back"],
  ["evening", "B", "back"],
  ["evening", "?", "keys"],
  ["evening", "p", undefined],
  ["question", "+", "more"],
  ["question", "p", "pause"],
  ["marking", "ArrowDown", "down"],
  ["marking", "h", "half"],
  ["player", "Delete", "remove"],
  ["asked", "Escape", "no"],
  ["asked", "e", undefined],
  ["question", "toString", undefined],
];

for (const [group, key, action] of pressed) {
  test(`${JSON.stringify(key)} in ${group} is ${action}`, () => assert.equal(actionOf(group, key), action));
}

test("a button shows the key that the table has for it", () => {
  assert.deepEqual([shownKeyOf("step"), shownKeyOf("remove"), shownKeyOf("no"), shownKeyOf("muchMore")], ["Space", "Del", "Esc", "E"]);
  assert.deepEqual([keyOf("step"), keyOf("remove"), keyOf("no"), keyOf("muchMore")], ["Space", "Delete", "Escape", "E"]);
});

/** The groups that are open at the same time. A key that two of them have would do one thing and promise two. */
test("no key has two meanings at once", () => {
  const desk = groups.filter(({ title }) => ["The evening", "The question", "The players"].includes(title));
  const keys = desk.flatMap((group) => group.keys.flatMap(({ key, also = [] }) => [key, ...also]));
  assert.equal(desk.length, 3);
  assert.deepEqual(keys, [...new Set(keys)]);
});
