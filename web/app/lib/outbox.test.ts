import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Outbox } from "./outbox";
import type { AnswerRequest, Outcome, Personal } from "./protocol";

type Reply = Partial<Outcome> & { status?: number; type?: string };

let sessions = 0;

/** A phone with a clock of its own, and a server that replies as told. */
class Phone {
  readonly session = `session ${sessions++}`;
  readonly posted: AnswerRequest[] = [];
  readonly overSocket: AnswerRequest[] = [];
  refreshes = 0;
  online = true;
  socket = false;
  /** What the server holds: it shows once the phone reads its state. */
  stored: Personal["answer"];
  reply: (request: AnswerRequest) => Reply | "a portal's page" = ({ id, question }) => ({ id, question, outcome: "accepted" });
  personal: Personal | undefined;
  outbox!: Outbox;

  constructor() {
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
    globalThis.fetch = async (_, init) => {
      if (!this.online) throw new TypeError("no network");
      const request = JSON.parse(init!.body as string) as AnswerRequest;
      this.posted.push(request);
      const reply = this.reply(request);
      if (reply === "a portal's page") return new Response("<p>Please log in</p>", { headers: { "Content-Type": "text/html" } });
      return Response.json(reply, { status: reply.status ?? 200 });
    };
    this.load();
  }

  /** Loads the page, for the first time or again. */
  load(): void {
    this.outbox?.stop();
    this.outbox = new Outbox(this.session, "/answers", {
      send: (message) => this.socket && this.overSocket.push((message as { answer: AnswerRequest }).answer) > 0,
      refresh: async () => {
        this.refreshes++;
        if (this.online) this.personal = { participant: "p", name: "n", points: 0, answer: this.stored };
        return this.online;
      },
      personal: () => this.personal,
    });
  }

  /** Lets time pass, and before and after it whatever is ready to happen. */
  async wait(milliseconds: number): Promise<void> {
    await turns();
    mock.timers.tick(milliseconds);
    await turns();
  }

  get outcome(): string | undefined {
    return this.outbox.view.settled["1.1"]?.outcome;
  }
}

/** Some turns of the event loop, which the mocked timers do not count. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage("");
    });
  }
}

test("an answer goes over the socket where there is one, and is settled by the outcome", async () => {
  const phone = new Phone();
  phone.socket = true;
  phone.outbox.answer("1.1", { choices: [2] });
  const [sent] = phone.overSocket;
  assert.deepEqual([sent?.question, sent?.given], ["1.1", { choices: [2] }]);
  assert.equal(phone.outbox.view.pending.length, 1, "it is pending until the server has it");
  phone.outbox.take({ id: sent!.id, question: "1.1", outcome: "accepted" });
  assert.equal(phone.outcome, "accepted");
  await phone.wait(60_000);
  assert.equal(phone.posted.length, 0);
});

test("without a socket it is posted", async () => {
  const phone = new Phone();
  phone.outbox.answer("1.1", { text: "gold" });
  await phone.wait(0);
  assert.deepEqual(phone.posted[0]?.given, { text: "gold" });
  assert.equal(phone.outcome, "accepted");
});

test("a socket that died after sending: the phone reads its state and posts the same answer", async () => {
  const phone = new Phone();
  phone.socket = true;
  phone.outbox.answer("1.1", { choices: [0] });
  await phone.wait(3_999);
  assert.equal(phone.refreshes, 0);
  await phone.wait(1);
  assert.equal(phone.refreshes, 1);
  assert.equal(phone.posted[0]?.id, phone.overSocket[0]?.id);
  assert.equal(phone.outcome, "accepted");
});

test("if the answer had arrived all the same, it is not sent again", async () => {
  const phone = new Phone();
  phone.socket = true;
  phone.outbox.answer("1.1", { choices: [0] });
  phone.stored = { ...phone.overSocket[0]! };
  await phone.wait(4_000);
  assert.equal(phone.outcome, "accepted");
  assert.equal(phone.posted.length, 0);
});

test("an answer without an outcome survives a reload, with its id", async () => {
  const phone = new Phone();
  phone.online = false;
  phone.outbox.answer("1.1", { text: "gold" });
  const [before] = phone.outbox.view.pending;
  await phone.wait(0);
  phone.load();
  assert.deepEqual(phone.outbox.view.pending, [before]);
  phone.online = true;
  await phone.wait(0);
  assert.equal(phone.refreshes > 0, true);
  assert.deepEqual(phone.posted, [before]);
  phone.load();
  assert.equal(phone.outbox.view.pending.length, 0, "what is settled is forgotten");
});

test("another tab's answer counts, and this one says so", async () => {
  const phone = new Phone();
  phone.socket = true;
  phone.outbox.answer("1.1", { choices: [0] });
  phone.stored = { id: "another", question: "1.1", given: { choices: [3] } };
  await phone.wait(4_000);
  assert.equal(phone.outcome, "already-answered");
  assert.deepEqual(phone.outbox.view.settled["1.1"]?.given, { choices: [3] });
});

test("a busy or limiting server is obeyed before the answer is sent again", async () => {
  for (const reply of [{ status: 503, outcome: "busy" }, { status: 429, type: "quota-exceeded" }] as const) {
    const phone = new Phone();
    phone.reply = () => ({ ...reply, retryAfter: 20 });
    phone.outbox.answer("1.1", { choices: [0] });
    await phone.wait(0);
    phone.outbox.notice();
    await phone.wait(19_999);
    assert.equal(phone.posted.length, 1);
    phone.reply = ({ id, question }) => ({ id, question, outcome: "accepted" });
    await phone.wait(40_000);
    assert.equal(phone.posted.length, 2);
    assert.equal(phone.outcome, "accepted");
  }
});

test("once there are news again, an answer that could not be sent is tried at once", async () => {
  const phone = new Phone();
  phone.online = false;
  phone.outbox.answer("1.1", { choices: [0] });
  await phone.wait(0);
  phone.online = true;
  phone.outbox.notice();
  await phone.wait(0);
  assert.equal(phone.outcome, "accepted");
});

test("a captive portal's page is no outcome", async () => {
  const phone = new Phone();
  phone.reply = () => "a portal's page";
  phone.outbox.answer("1.1", { choices: [0] });
  await phone.wait(0);
  assert.equal(phone.outcome, undefined);
  assert.equal(phone.outbox.view.pending.length, 1);
});

test("problems settle an answer, each in its own words", async () => {
  const problems: [Reply, string][] = [
    [{ status: 409, type: "/problems/too-late" }, "too-late"],
    [{ status: 409, type: "/problems/not-this-question" }, "not-this-question"],
    [{ status: 409, type: "/problems/already-answered", given: { choices: [1] } }, "already-answered"],
    [{ status: 403, type: "/problems/removed" }, "removed"],
    [{ status: 422, type: "/problems/invalid", detail: "Choose one of the options." }, "invalid"],
  ];
  for (const [problem, outcome] of problems) {
    const phone = new Phone();
    phone.reply = () => problem;
    phone.outbox.answer("1.1", { choices: [0] });
    await phone.wait(0);
    assert.equal(phone.outcome, outcome);
    assert.equal(phone.outbox.view.settled["1.1"]?.detail, problem.detail);
  }
});

test("an answer that came before its question opened is sent again, and counts", async () => {
  const phone = new Phone();
  phone.socket = true;
  phone.outbox.answer("1.1", { choices: [0] });
  const [sent] = phone.overSocket;
  phone.reply = () => ({ status: 409, type: "/problems/too-early" });
  phone.outbox.take({ id: sent!.id, question: "1.1", outcome: "too-early" });
  assert.equal(phone.outcome, undefined, "it is on its way");
  await phone.wait(300);
  assert.deepEqual(phone.posted, [sent]);
  phone.reply = ({ id, question }) => ({ id, question, outcome: "accepted" });
  await phone.wait(300);
  assert.deepEqual(phone.posted, [sent, sent]);
  assert.equal(phone.outcome, "accepted");
});

test("a second tap before the outcome changes nothing", async () => {
  const phone = new Phone();
  phone.socket = true;
  phone.outbox.answer("1.1", { choices: [0] });
  phone.outbox.answer("1.1", { choices: [1] });
  assert.deepEqual(phone.overSocket.map(({ given }) => given), [{ choices: [0] }]);
});

test("an answer that is stuck does not hold up the next question's", async () => {
  const phone = new Phone();
  phone.online = false;
  phone.outbox.answer("1.1", { choices: [0] });
  await phone.wait(0);
  phone.online = true;
  phone.reply = ({ id, question }) =>
    question === "1.2" ? { id, question, outcome: "accepted" } : { status: 409, type: "/problems/too-late" };
  phone.outbox.answer("1.2", { choices: [1] });
  await phone.wait(0);
  await phone.wait(1_000);
  assert.deepEqual(phone.posted.map(({ question }) => question), ["1.2", "1.1"]);
  assert.equal(phone.outcome, "too-late");
});

test("after a restore the answer on screen goes out again under its id, unless the server has it", async () => {
  const phone = new Phone();
  for (const question of ["1.1", "1.2"]) {
    phone.outbox.answer(question, { choices: [0] });
    await phone.wait(0);
  }
  const [, second] = phone.posted;
  phone.outbox.putBack("1.2");
  assert.deepEqual(phone.outbox.view.settled, {}, "what was said before the restore counts no longer");
  await phone.wait(0);
  assert.deepEqual(phone.posted.slice(2), [second]);
  assert.equal(phone.outbox.view.settled["1.2"]?.outcome, "accepted");
  phone.stored = { ...second! };
  phone.outbox.putBack("1.2");
  await phone.wait(0);
  assert.equal(phone.posted.length, 3, "it is there, so it is not sent");
  assert.equal(phone.outbox.view.settled["1.2"]?.outcome, "accepted");
  phone.stored = undefined;
  phone.reply = () => ({ status: 409, type: "/problems/too-late" });
  phone.outbox.putBack("1.2");
  await phone.wait(0);
  assert.equal(phone.outbox.view.settled["1.2"]?.outcome, "too-late");
  phone.outbox.putBack("2.1");
  await phone.wait(60_000);
  assert.equal(phone.posted.length, 4, "nothing was answered there");
});
