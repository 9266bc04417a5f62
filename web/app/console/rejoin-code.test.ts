import assert from "node:assert/strict";
import { test } from "node:test";
import { halves, makeRejoinCode } from "./rejoin-code";

const asked: [string, unknown][] = [];
let status = 201;
let reply: unknown;
globalThis.fetch = async (url, init) => {
  asked.push([String(url), JSON.parse(String(init?.body))]);
  return Response.json(reply, { status });
};

test("a code leads to a new seat, or to a participant's", async () => {
  reply = { code: "BCDF2346", url: "https://quiz.example/j/BCDF2346", expiresAt: "2026-05-01T20:10:00Z" };
  assert.deepEqual(await makeRejoinCode("abc", undefined), reply);
  assert.deepEqual(await makeRejoinCode("abc", "p"), reply);
  assert.deepEqual(asked, [
    ["/api/v1/sessions/abc/rejoin-codes", {}],
    ["/api/v1/sessions/abc/rejoin-codes", { participant: "p" }],
  ]);
});

test("a refusal says why", async () => {
  [status, reply] = [404, { detail: "This participant is not in the session any more." }];
  assert.deepEqual(await makeRejoinCode("abc", "p"), { problem: "This participant is not in the session any more.", field: undefined, type: undefined });
});

test("a code is shown in two halves", () => {
  assert.equal(halves("BCDF2346"), "BCDF 2346");
});
