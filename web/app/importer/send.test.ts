import assert from "node:assert/strict";
import { test } from "node:test";
import { create, read, reasonOf } from "./send";

test("what goes wrong is a sentence", () => {
  assert(reasonOf(401, null).includes("Sign in again"));
  assert(reasonOf(429, { retryAfter: 12 }).includes("12 seconds"));
  assert.equal(reasonOf(422, { detail: "This file is empty." }), "This file is empty.");
  assert(reasonOf(502, null).includes("Try again"));
});

test("a file that is too large is not even sent", async () => {
  const reply = await read("large.csv", { size: (5 << 20) + 1 } as Blob, () => assert(false, "it is sent"));
  assert("reason" in reply && reply.reason.includes("larger than 5 MB"));
});

test("a reply that is not the server's stores nothing", async () => {
  globalThis.fetch = () => Promise.resolve(new Response("<title>Sign in to the pub's Wi-Fi</title>"));
  const reply = await create({ title: "A", rounds: [] });
  assert("reason" in reply);
});
