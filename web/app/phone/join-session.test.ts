import assert from "node:assert/strict";
import { test } from "node:test";
import { joinSession, typedName } from "./join-session";

interface Asked {
  url: string;
  name: string;
  attempt: string;
}

const asked: Asked[] = [];

/** Answers the next tries so. */
function server(answer: () => Response): void {
  asked.length = 0;
  globalThis.fetch = async (url, init) => {
    asked.push({ url: String(url), ...JSON.parse(String(init?.body)) });
    return answer();
  };
}

const bigScreen = { code: "BCDF23", rejoin: false };

test("every try is the same attempt until one has worked, and the name is kept until then", async () => {
  server(() => Response.json({ title: "A moment, please" }, { status: 429, headers: { "Retry-After": "12" } }));
  assert.deepEqual(await joinSession(bigScreen, "Owls"), { wait: 12 });
  assert.equal(typedName(), "Owls");
  const [first] = asked;
  server(() => Response.json({ session: "abc" }, { status: 201 }));
  assert.deepEqual(await joinSession(bigScreen, "Owls"), { session: "abc" });
  assert.deepEqual(asked, [first]);
  assert.equal(typedName(), "");
  await joinSession(bigScreen, "Owls");
  assert(asked[1]?.attempt !== first?.attempt);
});

test("a rejoin code has an address of its own", async () => {
  server(() => Response.json({ session: "abc" }, { status: 201 }));
  assert.deepEqual(await joinSession({ code: "BCDF2346", rejoin: true }, "Owls"), { session: "abc" });
  assert.deepEqual([asked[0]?.url, asked[0]?.name], ["/api/v1/rejoin/BCDF2346", "Owls"]);
});

const answers: [string, () => Response, unknown][] = [
  [
    "a refusal says why",
    () => Response.json({ type: "/problems/doors-locked", title: "The doors are locked" }, { status: 409 }),
    { problem: { type: "/problems/doors-locked", title: "The doors are locked" } },
  ],
  ["a busy server asks for patience", () => new Response("", { status: 503, headers: { "Retry-After": "2" } }), { wait: 2 }],
  ["a captive portal is no answer", () => new Response("<p>Welcome to our WiFi</p>"), "unreachable"],
  ["a failure is tried again", () => Response.json({ title: "Something went wrong" }, { status: 500 }), "unreachable"],
];

for (const [name, answer, want] of answers) {
  test(name, async () => {
    server(answer);
    assert.deepEqual(await joinSession(bigScreen, "Owls"), want);
  });
}
