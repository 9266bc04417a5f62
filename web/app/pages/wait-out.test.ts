import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { waitOut } from "./wait-out";

/** A page that a limit refused for some seconds, to be tried again where data-again says. */
function refusedPage(seconds: number, again: string) {
  const left = { textContent: "" };
  const page = new EventTarget();
  const done: string[] = [];
  const globals = globalThis as unknown as Record<string, unknown>;
  globals.document = page;
  globals.history = { state: null, back: () => done.push("back"), replaceState: ({ attempt }: { attempt: number }) => done.push(`attempt ${attempt}`) };
  globals.location = { pathname: "/j/BCDF23", search: "", replace: (to: string) => done.push(`to ${to}`), reload: () => done.push("reload") };
  waitOut({ dataset: { retryAfter: String(seconds), again }, querySelector: () => left } as unknown as HTMLElement);
  return { left, done, look: () => page.dispatchEvent(new Event("visibilitychange")) };
}

const ways: [name: string, again: string, done: string[]][] = [
  ["back to the form", "", ["back"]],
  ["to another page", "/", ["to /"]],
  ["to the same page, as the next attempt", "/j/BCDF23", ["attempt 1", "reload"]],
];

for (const [name, again, done] of ways) {
  void test(`the wait leads ${name} once, however often the page was looked at meanwhile`, () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    try {
      const page = refusedPage(10, again);
      for (let i = 0; i < 20; i++) page.look();
      mock.timers.tick(9_000);
      assert.deepEqual(page.done, []);
      for (let i = 0; i < 20; i++) page.look();
      mock.timers.tick(10_000);
      page.look();
      assert.equal(page.left.textContent, "0:00");
      assert.deepEqual(page.done, done);
    } finally {
      mock.timers.reset();
    }
  });
}
