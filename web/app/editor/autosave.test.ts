import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { QuizContent } from "../lib/protocol";
import { Autosave, putQuiz, type PutReply } from "./autosave";

const titled = (title: string): QuizContent => ({ title, rounds: [] });

/** An autosave at revision 1, whose server answers when it is told to. */
function saved() {
  const puts: { revision: number; title: string; answer: (reply: PutReply) => Promise<void> }[] = [];
  const states: string[] = [];
  const autosave = new Autosave(
    {
      put: (revision, content) =>
        new Promise((resolve) => {
          puts.push({ revision, title: content.title, answer: async (reply) => (resolve(reply), await settled()) });
        }),
      show: (state) => states.push(state.name),
      problems: () => {},
    },
    1,
  );
  return { autosave, puts, states };
}

/** Lets what waits for promises alone go on. */
async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

async function after(milliseconds: number): Promise<void> {
  mock.timers.tick(milliseconds);
  await settled();
}

function testWithTimers(name: string, run: () => Promise<void>): void {
  void test(name, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      await run();
    } finally {
      mock.timers.reset();
    }
  });
}

testWithTimers("it saves once typing rests, and only the last of it", async () => {
  const { autosave, puts, states } = saved();
  autosave.edit(titled("a"));
  await after(500);
  autosave.edit(titled("ab"));
  await after(500);
  assert.equal(puts.length, 0);
  await after(300);
  assert.deepEqual([puts.length, puts[0]?.title, puts[0]?.revision], [1, "ab", 1]);
  await puts[0]?.answer({ revision: 2, problems: [] });
  assert.deepEqual(states, ["unsaved", "unsaved", "saving", "saved"]);
  assert.equal(autosave.dirty, false);
});

testWithTimers("what is typed during a save is saved next, on top of it", async () => {
  const { autosave, puts } = saved();
  autosave.edit(titled("a"));
  await after(800);
  autosave.edit(titled("b"));
  await after(5_000);
  assert.equal(puts.length, 1);
  await puts[0]?.answer({ revision: 2, problems: [] });
  await after(0);
  assert.deepEqual([puts.length, puts[1]?.title, puts[1]?.revision], [2, "b", 2]);
});

testWithTimers("a save that failed is tried again by itself", async () => {
  const { autosave, puts, states } = saved();
  autosave.edit(titled("a"));
  await after(800);
  await puts[0]?.answer({ reason: "no network", again: true });
  assert.equal(states.at(-1), "failed");
  assert.equal(autosave.dirty, true);
  await after(10_000);
  assert.deepEqual([puts[1]?.title, puts[1]?.revision], ["a", 1]);
});

testWithTimers("what may have arrived goes again as it was, and what was typed since on top of it", async () => {
  const { autosave, puts, states } = saved();
  autosave.edit(titled("a"));
  await after(800);
  await puts[0]?.answer({ reason: "no network", again: true });
  autosave.edit(titled("ab"));
  await after(800);
  assert.deepEqual([puts[1]?.title, puts[1]?.revision], ["a", 1]);
  await puts[1]?.answer({ revision: 2, problems: [] });
  assert.deepEqual([puts[2]?.title, puts[2]?.revision], ["ab", 2]);
  await puts[2]?.answer({ revision: 3, problems: [] });
  assert.equal(puts.length, 3);
  assert.equal(states.at(-1), "saved");
  assert.equal(autosave.dirty, false);
});

testWithTimers("it never saves over what was saved elsewhere", async () => {
  const { autosave, puts, states } = saved();
  autosave.edit(titled("a"));
  await after(800);
  await puts[0]?.answer({ stale: true });
  autosave.edit(titled("b"));
  await after(60_000);
  assert.equal(puts.length, 1);
  assert.equal(states.at(-1), "stale");
  assert.equal(await autosave.flush(), false);
});

testWithTimers("before a session is opened everything is saved", async () => {
  const { autosave, puts } = saved();
  autosave.edit(titled("a"));
  const flushed = autosave.flush();
  await settled();
  await puts[0]?.answer({ revision: 2, problems: [] });
  assert.equal(await flushed, true);
});

testWithTimers("two who ask for it at once get one save", async () => {
  const { autosave, puts } = saved();
  autosave.edit(titled("a"));
  await after(800);
  const both = Promise.all([autosave.flush(), autosave.flush()]);
  autosave.edit(titled("b"));
  await puts[0]?.answer({ revision: 2, problems: [] });
  assert.equal(puts.length, 2);
  await puts[1]?.answer({ revision: 3, problems: [] });
  assert.deepEqual(await both, [true, true]);
});

void test("a reply that is not the server's is no save, and is tried again", async () => {
  globalThis.fetch = () => Promise.resolve(new Response("<title>Sign in to the pub's Wi-Fi</title>"));
  const reply = await putQuiz("1", 1, titled("a"));
  assert("again" in reply && reply.again);
});
