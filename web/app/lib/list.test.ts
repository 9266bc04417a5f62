import assert from "node:assert/strict";
import { test } from "node:test";
import { list, richList } from "./list";

test("things stand side by side, or to choose from", () => {
  assert.equal(list(["x", "y", "z"], "unit"), "x, y, z");
  assert.equal(list(["Gold", "Aurum"], "disjunction"), "Gold or Aurum");
  assert.equal(list(["Gold"], "disjunction"), "Gold");
});

test("each is shown as it is asked for", () => {
  assert.deepEqual(richList(["x", "y"], "disjunction", (item, i) => item + i), ["x0", " or ", "y1"]);
});
