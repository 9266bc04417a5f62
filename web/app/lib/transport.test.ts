import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { Personal, Snapshot } from "./protocol";
import { Transport } from "./transport";

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  closed = false;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  end(code: number, reason = ""): void {
    this.onclose?.({ code, reason });
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }
}

class Page extends EventTarget {
  hidden = false;
}

const snapshot = (version: number, epoch = "one"): Snapshot => ({
  epoch,
  version,
  role: "participant",
  phase: "lobby",
  title: `version ${version}`,
  rounds: 1,
});
const personal = (points: number): Personal => ({ participant: "p", name: "n", points });

/** A page with a transport, a network and a clock of its own. */
class World {
  readonly page = new Page();
  readonly requests: RequestInit[] = [];
  answer: () => Response = () => poll(snapshot(1), personal(0));
  transport!: Transport<Snapshot, Personal>;

  constructor(hidden = false) {
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
    Socket.all = [];
    this.page.hidden = hidden;
    const fetch = async (_: string, init: RequestInit) => {
      this.requests.push(init);
      await Promise.resolve(); // the answer may still be told
      return this.answer();
    };
    Object.assign(globalThis, { WebSocket: Socket, document: this.page, window: this.page, location: { origin: "https://quiz" }, fetch });
    this.transport = new Transport({ path: "/poll", part: "personal" });
  }

  get socket(): Socket {
    return Socket.all.at(-1)!;
  }

  get version(): number | undefined {
    return this.transport.view.shared?.version;
  }

  async wait(milliseconds: number): Promise<void> {
    await turns();
    for (let passed = 0; passed < milliseconds; passed += 500) {
      mock.timers.tick(Math.min(500, milliseconds - passed));
      await turns();
    }
  }
}

function poll(shared: Snapshot, part: Personal): Response {
  return Response.json({ shared, personal: part }, { headers: { ETag: `"${shared.version}"`, "Server-Time": "1005000" } });
}

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

test("it polls and tries the socket at once", async () => {
  const world = new World();
  assert.equal(world.socket.url, "wss://quiz/poll/socket");
  await world.wait(0);
  assert.equal(world.version, 1);
  assert.equal(world.transport.view.part?.points, 0);
});

test("the server's clock is read from the poll", async () => {
  const world = new World();
  await world.wait(0);
  assert.equal(world.transport.clock.now(), 1_005_000);
});

test("whoever counts down is told when the clock was wrong, and only then", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.say({ shared: snapshot(1) });
  let told = 0;
  world.transport.subscribe(() => told++);
  const { view } = world.transport;
  world.socket.say({ v: 1, epoch: "one", now: 1_005_000 });
  assert.equal(told, 0);
  world.socket.say({ v: 1, epoch: "one", now: 1_005_900 });
  assert.equal(told, 1);
  assert(world.transport.view !== view);
});

test("duplicates and older versions change nothing, whichever way they come", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.say({ shared: snapshot(5) });
  world.socket.say({ shared: snapshot(4) });
  assert.equal(world.version, 5);
  world.answer = () => poll(snapshot(3), personal(0));
  await world.transport.refresh();
  assert.equal(world.version, 5);
});

test("a new epoch replaces any version, and a past one is past", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.say({ shared: snapshot(9) });
  world.socket.say({ shared: snapshot(2, "two") });
  assert.equal(world.version, 2);
  world.socket.say({ shared: snapshot(10, "one") });
  assert.equal(world.version, 2);
});

test("a known state costs no more than a 304", async () => {
  const world = new World();
  await world.wait(0);
  world.answer = () => new Response(null, { status: 304 });
  assert.equal(await world.transport.refresh(), true);
  assert.deepEqual(world.requests.at(-1)?.headers, { "If-None-Match": '"1"' });
  assert.equal(world.version, 1);
});

test("what the socket brought while a poll was under way is newer than the poll's", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  const polled = world.transport.refresh();
  world.socket.say({ personal: personal(7) });
  await polled;
  assert.equal(world.transport.view.part?.points, 7);
});

test("the room's part comes by the socket and by polling, beside the other part", async () => {
  const world = new World();
  world.answer = () => Response.json({ shared: snapshot(1), personal: personal(0), room: { refused: [] } });
  await world.wait(0);
  assert.deepEqual(world.transport.view.room, { refused: [] });
  world.socket.open();
  const room = { joins: { used: 82, of: 100, seconds: 60 }, refused: [{ limiter: "joinSession", count: 12, at: 1_000_000 }] };
  world.socket.say({ room });
  assert.deepEqual(world.transport.view.room, room);
  assert.equal(world.transport.view.part?.points, 0);
});

test("a captive portal's page is no news, and trouble is said after the second failure", async () => {
  const world = new World();
  await world.wait(0);
  world.answer = () => new Response("<p>Welcome to our WiFi</p>", { headers: { "Content-Type": "text/html" } });
  await world.transport.refresh();
  assert.equal(world.transport.view.connection, "socket");
  await world.transport.refresh();
  assert.equal(world.transport.view.connection, "struggling");
  assert.equal(world.version, 1, "what was known stays on screen");
  world.answer = () => poll(snapshot(2), personal(0));
  await world.transport.refresh();
  assert.equal(world.version, 2);
  assert.equal(world.transport.view.connection === "struggling", false);
});

test("where the socket never opens, polling goes on and says so", async () => {
  const world = new World();
  await world.wait(60_000);
  assert.equal(world.transport.view.connection, "polling");
  assert(world.requests.length >= 5 && world.requests.length <= 7, `${world.requests.length} polls in a minute`);
});

test("a browser without sockets polls", async () => {
  const world = new World();
  Object.assign(globalThis, { WebSocket: undefined });
  world.socket.end(1006);
  await world.wait(60_000);
  assert.equal(world.transport.view.connection, "polling");
  assert(world.requests.length >= 5, `${world.requests.length} polls in a minute`);
});

test("once the socket is proven nothing is polled, and a heartbeat of another version makes it poll", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.say({ shared: snapshot(1) });
  await world.wait(14_000);
  const before = world.requests.length;
  world.socket.say({ v: 1, epoch: "one", now: 1_019_000 });
  await world.wait(14_000);
  assert.equal(world.requests.length, before);
  world.answer = () => poll(snapshot(2), personal(0));
  world.socket.say({ v: 2, epoch: "one", now: 1_033_000 });
  await world.wait(2_000);
  assert.equal(world.version, 2);
});

test("a removed phone stops for good, whichever way it hears of it", async () => {
  const bySocket = new World();
  await bySocket.wait(0);
  bySocket.socket.open();
  bySocket.socket.end(4500);
  assert.equal(bySocket.transport.view.ending, "removed");

  const byPoll = new World();
  byPoll.answer = () =>
    Response.json({ type: "/problems/removed" }, { status: 403, headers: { "Content-Type": "application/problem+json" } });
  await byPoll.wait(0);
  assert.equal(byPoll.transport.view.ending, "removed");
  const { length } = byPoll.requests;
  await byPoll.wait(120_000);
  assert.deepEqual([byPoll.requests.length, Socket.all.length], [length, 1]);
});

test("a phone whose place is gone stops and says so, whichever way it hears of it", async () => {
  const bySocket = new World();
  await bySocket.wait(0);
  bySocket.socket.open();
  bySocket.socket.end(4502);
  assert.equal(bySocket.transport.view.ending, "lost");

  const byPoll = new World();
  byPoll.answer = () => Response.json({ type: "/problems/seat-lost" }, { status: 401, headers: { "Content-Type": "application/problem+json" } });
  await byPoll.wait(0);
  assert.equal(byPoll.transport.view.ending, "lost");
});

test("a token that is no longer valid ends it, a portal's 403 does not", async () => {
  const world = new World();
  world.answer = () => new Response("Forbidden", { status: 403 });
  await world.wait(0);
  assert.equal(world.transport.view.ending, undefined);
  world.answer = () =>
    Response.json({ type: "/problems/not-a-participant" }, { status: 401, headers: { "Content-Type": "application/problem+json" } });
  await world.transport.refresh();
  assert.equal(world.transport.view.ending, "unauthorized");
});

test("a restarting server is tried again", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.end(4000);
  await world.wait(2_000);
  assert.equal(Socket.all.length, 2);
});

test("a server that sends everybody away is left alone until it has", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.end(4000, '{"retryAfter":4}');
  await world.wait(3_900);
  assert.equal(Socket.all.length, 1);
  await world.wait(6_000);
  assert(Socket.all.length > 1);
});

test("a socket refused by a limit waits as long as its reason says", async () => {
  const world = new World();
  await world.wait(0);
  world.socket.open();
  world.socket.end(1013, '{"retryAfter":12}');
  await world.wait(11_900);
  assert.equal(Socket.all.length, 1);
  await world.wait(8_000);
  assert(Socket.all.length > 1);
});

test("a hidden tab stays silent until it is looked at", async () => {
  const world = new World(true);
  await world.wait(120_000);
  assert.deepEqual([world.requests.length, Socket.all.length], [0, 0]);
  world.page.hidden = false;
  world.page.dispatchEvent(new Event("visibilitychange"));
  await world.wait(0);
  assert.equal(world.requests.length, 1);
});

test("a socket that hangs after a sleep is replaced", async () => {
  const world = new World();
  await world.wait(0);
  const [hung] = Socket.all;
  hung!.open();
  hung!.say({ shared: snapshot(1) });
  await world.wait(6_000);
  world.page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  await world.wait(4_000);
  assert.equal(hung!.closed, true);
  assert.equal(Socket.all.length, 2);
});
