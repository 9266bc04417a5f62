// When to poll and when to try the socket: decisions only, no network and no clock of its own. Times are milliseconds.

/** Jitter spreads a room's phones: a number from 0 to 1. */
export type Random = () => number;

const freshness = 10_000; // a frame is news for this long, and up to spread more
const spread = 2_000;
const provenAfter = 5_000; // a socket that lived this long after opening is believed
const silence = 20_000; // a believed socket speaks at least every 15 s
const connectPatience = 5_000; // a socket that does not open by then never does
const resumePatience = 2_000; // after a sleep, a living socket has spoken by then
const slowestRetry = 30_000;

/** Full jitter: a random wait, longer with every failed attempt. */
export function backoff(attempt: number, random: Random): number {
  return random() * Math.min(slowestRetry, 1_000 * 2 ** attempt);
}

/** What Retry-After asks for, made sane, and spread so that a room refused together does not come back together. */
export function retryWait(seconds: number, attempt: number, random: Random): number {
  const asked = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), 900) : 1;
  return asked * 1_000 + random() * 5_000 + (attempt > 0 ? backoff(attempt, random) : 0);
}

/** What is to be done now, and when to ask again. */
export interface Plan {
  poll: boolean;
  connect: boolean;
  /** The socket is to be given up: it did not open, or fell silent. */
  abandon: boolean;
  wakeAt: number;
}

/**
 * The phone polls whenever no fresh frame came, beside trying the socket again and again. A socket is believed only after a
 * snapshot and some seconds of life, so that one that opens and dies for ever keeps nobody from the news.
 */
export class Schedule {
  private socket: "none" | "connecting" | "open" | "proven" = "none";
  private socketSince = 0;
  private sawSnapshot = false;
  private connectAt: number;
  private connectRefusedUntil = 0;
  private attempts = 0;

  private polling = false;
  private pollAt: number; // the next poll of the steady kind, made only while the socket is not believed
  private urgentAt = Infinity; // a poll that is wanted whatever the socket does
  private pollRefusedUntil = 0;
  private pollFailures = 0;

  private frameAt: number;
  private silentBy = Infinity;
  private hidden = false;

  constructor(
    now: number,
    private readonly random: Random,
  ) {
    this.connectAt = this.pollAt = this.frameAt = now;
  }

  /** Whether the socket carries the news. */
  get proven(): boolean {
    return this.socket === "proven";
  }

  /** Whether the socket was tried more than once and is still not there. */
  get socketless(): boolean {
    return this.attempts > 1 && (this.socket === "none" || this.socket === "connecting");
  }

  /** How many polls failed in a row. */
  get failures(): number {
    return this.pollFailures;
  }

  /** Whether the server asked for patience until later. */
  refused(now: number): boolean {
    return now < this.pollRefusedUntil;
  }

  plan(now: number): Plan {
    if (this.socket === "open" && this.sawSnapshot && now >= this.socketSince + provenAfter) {
      this.socket = "proven";
      this.attempts = 0;
      this.pollFailures = 0; // the network is there again, though no poll has said so
    }
    const abandonAt = this.abandonAt();
    const connectAt = this.socket === "none" && !this.hidden ? Math.max(this.connectAt, this.connectRefusedUntil) : Infinity;
    const wanted = Math.min(this.urgentAt, this.proven ? Infinity : this.pollAt);
    const pollAt = this.polling || this.hidden ? Infinity : Math.max(wanted, this.pollRefusedUntil);
    const provenAt = this.socket === "open" && this.sawSnapshot ? this.socketSince + provenAfter : Infinity;
    return {
      poll: now >= pollAt,
      connect: now >= connectAt,
      abandon: now >= abandonAt,
      wakeAt: Math.min(abandonAt, connectAt, pollAt, provenAt),
    };
  }

  private abandonAt(): number {
    switch (this.socket) {
      case "none":
        return Infinity;
      case "connecting":
        return this.socketSince + connectPatience;
      default:
        return Math.min(this.silentBy, Math.max(this.frameAt, this.socketSince) + silence);
    }
  }

  connecting(now: number): void {
    this.socket = "connecting";
    this.socketSince = now;
    this.sawSnapshot = false;
    this.silentBy = Infinity;
  }

  opened(now: number): void {
    this.socket = "open";
    this.socketSince = now;
  }

  /** A frame came in on the socket. */
  frame(now: number, snapshot: boolean): void {
    this.frameAt = now;
    this.silentBy = Infinity;
    this.sawSnapshot ||= snapshot;
    this.pollAt = Math.max(this.pollAt, now + freshness + spread * this.random());
  }

  /** The socket is gone. retryAfter, in seconds, is the server's wish, where it had one. */
  closed(now: number, retryAfter?: number): void {
    this.socket = "none";
    this.connectAt = now + backoff(this.attempts, this.random);
    if (retryAfter !== undefined) this.connectRefusedUntil = now + retryWait(retryAfter, this.attempts, this.random);
    this.attempts++;
  }

  polled(): void {
    this.polling = true;
    this.urgentAt = Infinity;
  }

  /** A poll was answered. interval is the server's Poll-Interval in seconds, if it gave one. */
  answered(now: number, interval: number): void {
    this.polling = false;
    this.pollFailures = 0;
    const seconds = interval >= 1 ? Math.min(interval, 600) : freshness / 1_000;
    this.pollAt = now + seconds * 1_000 * (1 + 0.2 * this.random());
  }

  /** A poll failed; retryAfter, in seconds, if the server refused it and said so. */
  failed(now: number, retryAfter?: number): void {
    this.polling = false;
    this.pollAt = now + 500 + backoff(this.pollFailures, this.random);
    if (retryAfter !== undefined) this.pollRefusedUntil = now + retryWait(retryAfter, this.pollFailures, this.random);
    this.pollFailures++;
  }

  /** The news may be old: poll at the time given, or once the server's wish for patience is fulfilled. */
  pollBy(at: number): void {
    this.urgentAt = Math.min(this.urgentAt, at);
  }

  hide(): void {
    this.hidden = true;
  }

  /** The page is back before someone's eyes, or the network is back: look at once, and doubt the socket. */
  resume(now: number): void {
    this.hidden = false;
    this.urgentAt = now;
    this.connectAt = Math.min(this.connectAt, now + backoff(0, this.random));
    if (this.socket === "open" || this.proven) this.silentBy = now + resumePatience;
  }
}
