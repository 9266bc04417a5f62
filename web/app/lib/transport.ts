// What a screen knows and how it stays up to date: over the socket where it works, by polling where it does not.
import { ServerClock } from "./clock";
import type { Message, Outcome, Problem, Room, Snapshot } from "./protocol";
import { Schedule } from "./schedule";

/** How the news come in: not yet; over the socket; by polling; or, for now, not at all. */
export type Connection = "starting" | "socket" | "polling" | "struggling";

/** Why a screen stopped for good: removed by the host, no longer let in, no longer stored, or nothing is there. */
export type Ending = "removed" | "unauthorized" | "lost" | "gone";

/** What a screen knows. part is what the protocol sends beside the snapshot: the participant's personal, the others' live. */
export interface View<S extends Snapshot, P> {
  shared?: S;
  part?: P;
  /** The host's alone. */
  room?: Room;
  connection: Connection;
  ending?: Ending;
}

interface TransportOptions {
  /** Where to poll; the socket is at the same path followed by /socket. */
  path: string;
  part: "personal" | "live";
  onOutcome?: (outcome: Outcome) => void;
}

const pollPatience = 8_000; // milliseconds until a poll counts as lost
const longestSleep = 60_000;
const noticeable = 5; // by so many milliseconds the clock must have been wrong before a screen is drawn again for it

export class Transport<S extends Snapshot, P> {
  /** The server's clock. */
  readonly clock = new ServerClock();
  /** Replaced, never changed in place. */
  view: View<S, P> = { connection: "starting" };

  private readonly schedule = new Schedule(Date.now(), Math.random);
  private readonly watchers = new Set<() => void>();
  private readonly pastEpochs = new Set<string>();
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<boolean> | undefined; // the poll under way
  private etag: string | undefined;
  private toldAt = 0; // when the socket last brought what comes beside the snapshot

  constructor(private readonly options: TransportOptions) {
    if (document.hidden) this.schedule.hide();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.schedule.hide() : this.resume()));
    window.addEventListener("pageshow", (event) => event.persisted && this.resume());
    window.addEventListener("online", this.resume);
    this.tick();
  }

  /** Calls back after every change of view, until the returned function is called. */
  subscribe(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Sends a message over the socket. False if there is none that could carry it. */
  send(message: unknown): boolean {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Polls now, or waits for the poll under way; not while the server wants patience. Whether the view is up to date then. */
  refresh(): Promise<boolean> {
    if (this.view.ending || this.schedule.refused(Date.now())) return Promise.resolve(false);
    this.running ??= this.poll().finally(() => {
      this.running = undefined;
      this.tick();
    });
    return this.running;
  }

  private readonly resume = () => {
    this.clock.doubt();
    this.schedule.resume(Date.now());
    this.tick();
  };

  private readonly tick = () => {
    clearTimeout(this.timer);
    if (this.view.ending) return;
    let plan = this.schedule.plan(Date.now());
    if (plan.abandon) this.drop();
    if (plan.connect) this.connect();
    if (plan.poll) void this.refresh();
    plan = this.schedule.plan(Date.now());
    this.timer = setTimeout(this.tick, Math.min(Math.max(plan.wakeAt - Date.now(), 0), longestSleep));
    this.update({});
  };

  private async poll(): Promise<boolean> {
    this.schedule.polled();
    const abort = new AbortController();
    const patience = setTimeout(() => abort.abort(), pollPatience);
    const asked = Date.now();
    try {
      const response = await fetch(this.options.path, {
        headers: this.etag ? { "If-None-Match": this.etag } : {},
        cache: "no-store",
        redirect: "error", // a captive portal's
        signal: abort.signal,
      });
      const time = Number(response.headers.get("Server-Time")); // a portal has none
      if (time > 0) this.readClock(time, asked, Date.now());
      const known = response.status === 304 || (await this.take(response, asked));
      if (!known) return this.refused(response);
      this.schedule.answered(Date.now(), Number(response.headers.get("Poll-Interval")));
      return true;
    } catch {
      this.schedule.failed(Date.now());
      return false;
    } finally {
      clearTimeout(patience);
    }
  }

  /** Takes the state from a response. False if it is not one of ours: a refusal, or a captive portal's page. */
  private async take(response: Response, asked: number): Promise<boolean> {
    if (response.status !== 200 || !isType(response, "application/json")) return false;
    const body = (await response.json()) as { shared?: S } & Record<string, unknown>;
    if (typeof body.shared?.epoch !== "string") return false;
    this.etag = response.headers.get("ETag") ?? undefined;
    // What the socket brought after the poll was sent is newer than the poll's.
    this.apply(body.shared, asked > this.toldAt ? this.beside(body) : {});
    return true;
  }

  /** What a message or a poll brings beside the snapshot. */
  private beside(from: object): Partial<View<S, P>> {
    const { [this.options.part]: part, room } = from as Record<string, unknown>;
    return { ...(part !== undefined && { part: part as P }), ...(room !== undefined && { room: room as Room }) };
  }

  private async refused(response: Response): Promise<false> {
    const endings: Record<number, Ending> = { 401: "unauthorized", 403: "removed", 404: "gone" };
    const ending = endings[response.status];
    if (ending && isType(response, "application/problem+json")) {
      const problem = (await response.json()) as Problem;
      if (problem.type.endsWith("/seat-lost")) this.end("lost");
      else this.end(problem.type.endsWith("/removed") || ending !== "removed" ? ending : "unauthorized");
      return false;
    }
    const wait = response.headers.get("Retry-After");
    this.schedule.failed(Date.now(), wait === null ? undefined : Number(wait));
    return false;
  }

  /** Takes a reading of the server's clock. Where it was wrong, whoever counts down has to look again. */
  private readClock(server: number, asked: number, received: number): void {
    const before = this.clock.now();
    this.clock.read(server, asked, received);
    if (Math.abs(this.clock.now() - before) >= noticeable) this.replace({});
  }

  private connect(): void {
    this.schedule.connecting(Date.now());
    let socket: WebSocket;
    try {
      socket = new WebSocket(location.origin.replace(/^http/, "ws") + this.options.path + "/socket");
    } catch {
      return this.schedule.closed(Date.now()); // a browser without sockets, or one that may not use them
    }
    this.socket = socket;
    socket.onopen = () => {
      this.schedule.opened(Date.now());
      this.tick();
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data as string) as Message);
    socket.onclose = (event) => this.closed(event.code, event.reason);
  }

  /** Gives the socket up without waiting for it to close: a dead one may never do so. */
  private drop(): void {
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = undefined;
    this.schedule.closed(Date.now());
  }

  private closed(code: number, reason: string): void {
    this.socket = undefined;
    if (code >= 4500 && code < 5000) return this.end(code === 4500 ? "removed" : code === 4502 ? "lost" : "unauthorized");
    const wait = retryAfter(reason) ?? (code === 1013 ? 60 : undefined);
    this.schedule.closed(Date.now(), code === 1013 || code === 4000 ? wait : undefined);
    this.tick();
  }

  private receive(message: Message): void {
    const now = Date.now();
    this.schedule.frame(now, "shared" in message);
    if ("shared" in message) {
      this.apply(message.shared as S, {});
    } else if ("v" in message) {
      this.readClock(message.now, -Infinity, now);
      const { shared } = this.view;
      const current = shared?.version === message.v && shared.epoch === message.epoch;
      // The snapshot may be just behind: give it a moment, and spread the polls of a room that missed it.
      if (!current) this.schedule.pollBy(now + 500 + 1_000 * Math.random());
    } else if ("outcome" in message) {
      this.options.onOutcome?.(message.outcome);
    } else {
      this.toldAt = now;
      this.update(this.beside(message));
    }
    this.tick();
  }

  private apply(shared: S, beside: Partial<View<S, P>>): void {
    const held = this.view.shared;
    if (!this.isNews(shared, held)) return this.update(beside);
    if (held && held.epoch !== shared.epoch) this.pastEpochs.add(held.epoch);
    this.update({ ...beside, shared });
  }

  /** Within an epoch only a newer version is news; of another epoch any is, unless that epoch is already past. */
  private isNews(shared: S, held: S | undefined): boolean {
    return shared.epoch === held?.epoch ? shared.version > held.version : !this.pastEpochs.has(shared.epoch);
  }

  private end(ending: Ending): void {
    this.update({ ending });
    clearTimeout(this.timer);
    this.drop();
  }

  private update(change: Partial<View<S, P>>): void {
    const connection = this.connection(change.shared ?? this.view.shared);
    if (Object.keys(change).length === 0 && connection === this.view.connection) return;
    this.replace({ ...change, connection });
  }

  private replace(change: Partial<View<S, P>>): void {
    this.view = { ...this.view, ...change };
    for (const watcher of this.watchers) watcher();
  }

  private connection(shared: S | undefined): Connection {
    // One lost poll is no news; two are.
    if (this.schedule.failures > 1) return "struggling";
    if (!shared) return "starting";
    return this.schedule.socketless ? "polling" : "socket";
  }
}

function isType(response: Response, type: string): boolean {
  return response.headers.get("Content-Type")?.startsWith(type) ?? false;
}

/** The seconds in a close's reason, where it has some. */
function retryAfter(reason: string): number | undefined {
  try {
    const { retryAfter: seconds } = JSON.parse(reason) as { retryAfter?: unknown };
    return typeof seconds === "number" ? seconds : undefined;
  } catch {
    return undefined;
  }
}
