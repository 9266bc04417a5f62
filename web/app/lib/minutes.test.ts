import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "./minutes";

void test("a quarter of an hour is not read in seconds", () => {
  assert.deepEqual([900, 847, 61, 12, 1, 0].map(minutes), ["15:00", "14:07", "1:01", "0:12", "0:01", "0:00"]);
});
