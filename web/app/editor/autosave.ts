import { t } from "../lib/language";
import type { ContentProblem, Problem, QuizContent } from "../lib/protocol";

/** How long, in milliseconds, typing must rest before it is saved. */
const rest = 800;

/** How long, in milliseconds, until a save that failed is tried again by itself. */
const retryAfter = 10_000;

/** Where saving stands, as the editor shows it. */
export type SaveState =
  | { name: "saved" }
  | { name: "unsaved" }
  | { name: "saving" }
  | { name: "failed"; reason: string }
  /** Saved elsewhere meanwhile: what is here can no longer be saved over it. */
  | { name: "stale" };

export type PutReply =
  | { revision: number; problems: ContentProblem[] }
  | { stale: true }
  | { reason: string; problems?: ContentProblem[] | undefined; again: boolean };

/** What autosave needs of its surroundings. */
export interface Saver {
  put: (revision: number, content: QuizContent) => Promise<PutReply>;
  show: (state: SaveState) => void;
  problems: (problems: ContentProblem[]) => void;
}

/** Saves a quiz whenever typing rests, one save at a time, each on top of the revision before. */
export class Autosave {
  private waiting: QuizContent | undefined;
  /** Sent, without word that it arrived. It goes again as it was, which the server knows from another's save; only then what was typed since. */
  private doubtful: QuizContent | undefined;
  private saving: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stale = false;

  constructor(
    private readonly saver: Saver,
    private revision: number,
  ) {}

  /** Whether something is not yet saved. */
  get dirty(): boolean {
    return this.waiting !== undefined || this.doubtful !== undefined || this.saving !== undefined;
  }

  edit(content: QuizContent): void {
    this.waiting = content;
    if (this.stale) return;
    if (!this.saving) this.saver.show({ name: "unsaved" });
    this.schedule(rest);
  }

  /** Saves what waits now, and reports whether all is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer);
    while (this.saving) await this.saving; // another may have begun one while this one waited
    if (this.doubtful && !this.stale) await (this.saving = this.save(this.doubtful));
    if (this.waiting && !this.doubtful && !this.stale) {
      const content = this.waiting;
      this.waiting = undefined;
      await (this.saving = this.save(content));
    }
    return !this.dirty;
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), delay);
  }

  private async save(content: QuizContent): Promise<void> {
    this.doubtful = undefined;
    this.saver.show({ name: "saving" });
    const reply = await this.saver.put(this.revision, content);
    this.saving = undefined;
    if ("revision" in reply) {
      this.revision = reply.revision;
      this.saver.problems(reply.problems);
      this.saver.show({ name: this.waiting ? "unsaved" : "saved" });
      return;
    }
    if ("again" in reply && reply.again) this.doubtful = content;
    else this.waiting ??= content;
    if ("stale" in reply) {
      this.stale = true;
      this.saver.show({ name: "stale" });
      return;
    }
    if (reply.problems) this.saver.problems(reply.problems);
    this.saver.show({ name: "failed", reason: reply.reason });
    if (reply.again) this.schedule(retryAfter);
  }
}

/** Puts the content to the server. Whatever goes wrong comes back as a sentence. */
export async function putQuiz(quiz: string, revision: number, content: QuizContent): Promise<PutReply> {
  let response: Response;
  try {
    response = await fetch(`/api/v1/quizzes/${quiz}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ revision, content }),
      signal: AbortSignal.timeout(15_000),
    });
  } catch {
    return { reason: t("the server cannot be reached. Keep this page open: it tries again by itself."), again: true };
  }
  const body: unknown = await response.json().catch(() => null); // a reply that breaks off, or a network's own page
  if (response.ok && body) return body as { revision: number; problems: ContentProblem[] };
  const problem = (body ?? {}) as Partial<Problem>;
  if (response.status === 409) return { stale: true };
  if (response.status === 401) return { reason: t("you are signed out. Sign in again in another tab, then try again."), again: false };
  if (response.status === 422) return { reason: t("something is too long or out of bounds; it is marked below."), problems: problem.problems, again: false };
  return { reason: problem.detail ?? t("the server had a problem. It is tried again by itself."), again: true };
}
