import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "./drive";

/** Answers the next request, and tells what was asked. */
function server(status: number, body: unknown) {
  const asked: { url: string; body: unknown }[] = [];
  globalThis.fetch = async (url, init) => {
    asked.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
  return asked;
}

test("a command says which version it was meant for", async () => {
  const asked = server(200, { version: 43 });
  assert.deepEqual(await send("abc", 42, "rename", { participant: "p", name: "New" }), { version: 43 });
  assert.deepEqual(asked, [
    { url: "/api/v1/sessions/abc/commands", body: { version: 42, command: "rename", participant: "p", name: "New" } },
  ]);
});

const refusals: { name: string; status: number; body: unknown; says: string; field?: string }[] = [
  { name: "stale", status: 409, body: { type: "/problems/stale-version", version: 44 }, says: "had moved on" },
  { name: "limited", status: 429, body: { retryAfter: 12 }, says: "in 12 seconds" },
  { name: "the store is away", status: 503, body: { detail: "The server cannot reach it. Try again.", retryAfter: 2 }, says: "cannot reach it" },
  { name: "signed out", status: 401, body: {}, says: "signed out" },
  { name: "a name that is taken", status: 409, body: { detail: "That name is taken.", field: "name" }, says: "taken", field: "name" },
  { name: "a proxy's page", status: 502, body: "<html>Bad gateway</html>", says: "try again" },
  { name: "another's page that claims success", status: 200, body: "<html>Welcome</html>", says: "try again" },
];

for (const { name, status, body, says, field } of refusals) {
  test(`a refusal becomes a sentence: ${name}`, async () => {
    server(status, body);
    const reply = await send("abc", 42, "launch");
    assert("problem" in reply && reply.problem.includes(says), JSON.stringify(reply));
    assert.equal(reply.field, field);
  });
}

test("a lost request is not called a failure: it may have arrived", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("network");
  };
  const reply = await send("abc", 42, "launch");
  assert("problem" in reply && reply.problem.includes("may have arrived"));
});
