import assert from "node:assert/strict";
import { test } from "node:test";
import { backoff, retryWait, Schedule } from "./schedule";

const middle = () => 0.5;

/** Does what the schedule plans until a time, polls that take no time being answered as told, and returns when it polled. */
function live(schedule: Schedule, from: number, until: number, poll: (now: number) => void, connect = (_: number) => {}): number[] {
  const polls: number[] = [];
  for (let now = from; now <= until; ) {
    const plan = schedule.plan(now);
    if (plan.abandon) schedule.closed(now);
    if (plan.connect) {
      schedule.connecting(now);
      connect(now);
    }
    if (plan.poll) {
      polls.push(now);
      schedule.polled();
      poll(now);
    }
    now = Math.max(now + 1, Math.min(schedule.plan(now).wakeAt, until + 1));
  }
  return polls;
}

function gaps(times: number[]): number[] {
  return times.slice(1).map((time, i) => time - times[i]!);
}

/** A schedule whose socket opened at 0 and brought a snapshot. */
function open(random = middle): Schedule {
  const schedule = new Schedule(0, random);
  schedule.connecting(0);
  schedule.opened(0);
  schedule.frame(0, true);
  return schedule;
}

test("full jitter grows with every attempt and is bounded", () => {
  const almost = () => 0.999;
  assert.equal(backoff(0, () => 0), 0);
  assert.deepEqual([0, 1, 2, 10, 2_000].map((n) => Math.ceil(backoff(n, almost) / 1_000)), [1, 2, 4, 30, 30]);
});

test("Retry-After is obeyed, spread, and made sane", () => {
  assert.equal(retryWait(12, 0, () => 0), 12_000);
  assert.equal(retryWait(12, 0, () => 0.999) < 17_000, true);
  for (const absurd of [0, -5, NaN, Infinity]) assert.equal(retryWait(absurd, 0, () => 0), 1_000, `Retry-After: ${absurd}`);
  assert.equal(retryWait(86_400, 0, () => 0), 900_000);
});

test("without a socket it polls at once and then every 10 to 12 seconds", () => {
  for (const random of [() => 0, middle, () => 0.999]) {
    const schedule = new Schedule(0, random);
    const polls = live(schedule, 0, 120_000, (now) => schedule.answered(now, NaN));
    assert.equal(polls[0], 0);
    for (const gap of gaps(polls)) assert(gap >= 10_000 && gap <= 12_001, `polled after ${gap} ms`);
  }
});

test("the server's interval is obeyed", () => {
  const schedule = new Schedule(0, middle);
  const polls = live(schedule, 0, 300_000, (now) => schedule.answered(now, 60));
  for (const gap of gaps(polls)) assert(gap >= 60_000 && gap <= 72_001, `polled after ${gap} ms`);
});

test("a refused poll waits as long as the server asked, whatever else happens", () => {
  const schedule = new Schedule(0, () => 0);
  schedule.polled();
  schedule.failed(0, 30);
  schedule.resume(1_000);
  schedule.pollBy(1_000);
  assert.equal(schedule.refused(29_999), true);
  assert.equal(schedule.plan(29_999).poll, false);
  assert.equal(schedule.plan(30_000).poll, true);
});

test("a hundred phones refused together do not come back together", () => {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const perTenth = new Map<number, number>();
  for (let phone = 0; phone < 100; phone++) {
    const tenth = Math.floor(retryWait(10, 0, random) / 100);
    perTenth.set(tenth, (perTenth.get(tenth) ?? 0) + 1);
  }
  assert(Math.max(...perTenth.values()) <= 10, `${Math.max(...perTenth.values())} of 100 in one tenth of a second`);
});

test("a socket is believed after a snapshot and five seconds of life, and then polling stops", () => {
  const schedule = open();
  schedule.plan(4_999);
  assert.equal(schedule.proven, false);
  schedule.plan(5_000);
  assert.equal(schedule.proven, true);
  const polls = live(schedule, 5_000, 19_000, () => {});
  assert.deepEqual(polls, []);
});

test("a socket that opens and brings nothing is not believed", () => {
  const schedule = new Schedule(0, middle);
  schedule.connecting(0);
  schedule.opened(0);
  schedule.frame(0, false);
  schedule.plan(15_000);
  assert.equal(schedule.proven, false);
});

test("a socket that opens, speaks and dies for ever keeps nobody from the news", () => {
  const schedule = new Schedule(0, middle);
  const dies: number[] = [];
  const polls = live(
    schedule,
    0,
    120_000,
    (now) => schedule.answered(now, 10),
    (now) => {
      schedule.opened(now); // opens, says nothing, and closes at once
      schedule.closed(now);
      dies.push(now);
    },
  );
  for (const gap of gaps(polls)) assert(gap <= 12_001, `${gap} ms without news`);
  assert(dies.length < 15, `tried the socket ${dies.length} times in two minutes`);
});

test("a socket that does not open is given up after five seconds", () => {
  const schedule = new Schedule(0, middle);
  schedule.connecting(0);
  assert.equal(schedule.plan(4_999).abandon, false);
  assert.equal(schedule.plan(5_000).abandon, true);
});

test("a believed socket that falls silent is given up, and polled for", () => {
  const schedule = open();
  schedule.plan(5_000);
  schedule.frame(15_000, false);
  assert.equal(schedule.plan(34_999).abandon, false);
  assert.equal(schedule.plan(35_000).abandon, true);
  schedule.closed(35_000);
  assert.equal(schedule.plan(35_000).poll, true);
});

test("a socket refused by a limit is not tried before its time", () => {
  const schedule = new Schedule(0, () => 0);
  schedule.connecting(0);
  schedule.closed(0, 12);
  schedule.resume(1_000);
  assert.equal(schedule.plan(11_999).connect, false);
  assert.equal(schedule.plan(12_000).connect, true);
});

test("a hidden page neither polls nor connects, and looks at once when it is back", () => {
  const schedule = new Schedule(0, middle);
  schedule.hide();
  assert.deepEqual(schedule.plan(600_000), { poll: false, connect: false, abandon: false, wakeAt: Infinity });
  schedule.resume(600_000);
  assert.equal(schedule.plan(600_000).poll, true);
});

test("after a sleep a socket has two seconds to show that it lives", () => {
  const dead = open();
  dead.plan(5_000);
  dead.hide();
  dead.resume(60_000);
  assert.equal(dead.plan(62_000).abandon, true);

  const alive = open();
  alive.plan(5_000);
  alive.hide();
  alive.frame(59_000, false);
  alive.resume(60_000);
  alive.frame(61_000, false);
  assert.equal(alive.plan(62_000).abandon, false);
});

test("news of a newer version are polled for even while the socket is believed", () => {
  const schedule = open();
  schedule.plan(5_000);
  schedule.pollBy(6_000);
  assert.equal(schedule.plan(5_999).poll, false);
  assert.equal(schedule.plan(6_000).poll, true);
});

test("a believed socket ends the struggle, though no poll has been answered since", () => {
  const schedule = new Schedule(0, middle);
  schedule.failed(0);
  schedule.failed(1);
  assert.equal(schedule.failures, 2);
  schedule.connecting(10);
  schedule.opened(10);
  schedule.frame(10, true);
  schedule.plan(5_010);
  assert.equal(schedule.failures, 0);
});
