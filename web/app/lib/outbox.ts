// Answers on their way: each is sent until the server says what became of it, over whichever way is open, also after a reload.
import type { AnswerRequest, Given, Outcome, Personal, Problem } from "./protocol";
import { randomID } from "./random-id";
import { backoff, retryWait } from "./schedule";
import { forget, keep, kept } from "./storage";

/** What the outbox needs of the transport. */
export interface Way {
  send(message: unknown): boolean;
  refresh(): Promise<boolean>;
  personal(): Personal | undefined;
}

/** The last word on an answer, with what was answered. */
export interface Settled extends Outcome {
  sent: Given;
}

/** Where the answers are. */
export interface Answers {
  /** Those without an outcome, oldest first. */
  pending: readonly AnswerRequest[];
  /** The outcomes since the page was loaded, by question. */
  settled: Readonly<Record<string, Settled>>;
}

const socketPatience = 4_000; // milliseconds until an answer sent over the socket counts as lost
const requestPatience = 8_000;
const earliness = 300; // until an answer is sent again that came before its question had opened

export class Outbox {
  /** Replaced, never changed in place. */
  view: Answers;

  private readonly watchers = new Set<() => void>();
  private readonly key: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false; // a request is under way
  private sent = false; // the answer at hand may have reached the server
  private failing = false; // the last try got no word from the server
  private stopped = false;
  private attempts = 0;

  constructor(
    session: string,
    private readonly path: string,
    private readonly way: Way,
  ) {
    this.key = `answers:${session}`;
    this.view = { pending: JSON.parse(kept(this.key) ?? "[]") as AnswerRequest[], settled: {} };
    this.sent = this.view.pending.length > 0;
    if (this.sent) this.later(0);
  }

  subscribe(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Answers a question. A second answer to it while the first has no outcome is not taken. */
  answer(question: string, given: Given): void {
    const { pending } = this.view;
    if (pending.some((request) => request.question === question)) return;
    this.sent = false;
    this.attempts = 0;
    this.update({ ...this.view, pending: [...pending, { id: randomID(), question, given }] });
    void this.deliver();
  }

  /** News came in: they may hold what became of an answer, and where there are news an answer can get through. */
  readonly notice = (): void => {
    const request = this.newest();
    if (request && !this.isThere(request) && this.failing) void this.deliver();
  };

  /**
   * The server's data were put back to an earlier state, so that what it said of answers is worth nothing. The one to the question on screen goes out again, under its id: where it was
   * lost it may still count.
   */
  putBack(question: string | undefined): void {
    const { pending, settled } = this.view;
    const said = question === undefined ? undefined : settled[question];
    const lost = said?.outcome === "accepted" && !pending.some((request) => request.question === question);
    this.update({ pending: lost ? [...pending, { id: said.id, question: said.question, given: said.sent }] : pending, settled: {} });
    if (!lost) return;
    this.sent = true; // the server is asked first: most answers are still there
    this.attempts = 0;
    void this.deliver();
  }

  /** Sends nothing any more: this phone is out of the game. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Takes an outcome that came over the socket. */
  readonly take = (outcome: Outcome): void => {
    const { pending, settled } = this.view;
    const request = pending.find(({ id }) => id === outcome.id);
    if (!request) return;
    if (outcome.outcome === "too-early") return this.later(earliness);
    if (outcome.outcome === "limited" || outcome.outcome === "busy") {
      return this.later(retryWait(outcome.retryAfter ?? 1, this.attempts++, Math.random));
    }
    this.attempts = 0;
    this.sent = pending.length > 1;
    if (this.sent) this.later(0);
    else clearTimeout(this.timer);
    this.update({
      pending: pending.filter(({ id }) => id !== outcome.id),
      settled: { ...settled, [outcome.question]: { ...outcome, sent: request.given } },
    });
  };

  private newest(): AnswerRequest | undefined {
    return this.view.pending[this.view.pending.length - 1];
  }

  /** Sends the newest answer: the older ones are to questions that are long closed. */
  private readonly deliver = async (): Promise<void> => {
    clearTimeout(this.timer);
    const request = this.newest();
    if (!request || this.busy || this.stopped) return;
    this.busy = true;
    this.failing = false;
    try {
      const first = !this.sent;
      if (!first) {
        if (!(await this.way.refresh())) throw new Error("no word from the server");
        if (this.isThere(request)) return;
      }
      this.sent = true;
      if (first && this.way.send({ answer: request })) return this.later(socketPatience);
      await this.post(request);
    } catch {
      this.failing = true;
      this.later(500 + backoff(this.attempts++, Math.random));
    } finally {
      this.busy = false;
      if (this.newest() !== request) void this.deliver();
    }
  };

  /** Whether the server has an answer to the question, which then is the outcome. */
  private isThere({ id, question }: AnswerRequest): boolean {
    const answer = this.way.personal()?.answer;
    if (answer?.question !== question) return false;
    this.take({ id, question, outcome: answer.id === id ? "accepted" : "already-answered", given: answer.given });
    return true;
  }

  private async post(request: AnswerRequest): Promise<void> {
    const abort = new AbortController();
    const patience = setTimeout(() => abort.abort(), requestPatience);
    try {
      const response = await fetch(this.path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
        redirect: "error",
        signal: abort.signal,
      });
      this.take(outcomeOf(request, response.status, (await response.json()) as Outcome & Problem));
    } finally {
      clearTimeout(patience);
    }
  }

  private later(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.deliver(), wait);
  }

  private update(view: Answers): void {
    this.view = view;
    if (view.pending.length > 0) keep(this.key, JSON.stringify(view.pending));
    else forget(this.key);
    for (const watcher of this.watchers) watcher();
  }
}

/** Reads an outcome from a response: itself when accepted, a problem of that type otherwise. Throws if it is neither. */
function outcomeOf({ id, question }: AnswerRequest, status: number, body: Outcome & Problem): Outcome {
  const { given, field, detail, retryAfter } = body;
  const outcome = status === 429 ? "limited" : status === 503 ? "busy" : (body.outcome ?? body.type?.split("/").pop());
  switch (outcome) {
    case "accepted":
    case "already-answered":
    case "too-late":
    case "too-early":
    case "not-this-question":
    case "removed":
    case "not-captain":
    case "invalid":
    case "limited":
    case "busy":
      return { id, question, outcome, given, field, detail, retryAfter };
    default:
      throw new Error(`not an outcome: ${status}`);
  }
}
