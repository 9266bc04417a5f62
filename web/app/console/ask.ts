import { t } from "../lib/language";
import type { Problem } from "../lib/protocol";

/** Why something came to nothing, as a sentence that says what happened and what to do; the field that it is about, if it is about one; and the problem's type. */
export interface Refused {
  problem: string;
  field: string | undefined;
  type: string | undefined;
}

/**
 * Asks the server for something about a session. It never throws: whatever goes wrong comes back as a sentence. isReply knows a
 * reply of ours from the page of some proxy in between.
 */
export function ask<R>(session: string, what: string, body: object, isReply: (reply: unknown) => reply is R, method = "POST"): Promise<R | Refused> {
  const lost = t("The server did not answer. Look where things stand before you try again: it may have arrived.");
  const init = { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive: true }; // also while the page goes
  return request(session, what, init, lost, isReply);
}

/** Reads something about a session, as ask asks. */
export function read<R>(session: string, what: string, isReply: (reply: unknown) => reply is R): Promise<R | Refused> {
  return request(session, what, {}, t("The server did not answer. Please try again."), isReply);
}

/** Knows the reply to what changes a session: the version that it is at now. */
export function isVersion(reply: unknown): reply is { version: number } {
  return typeof (reply as { version?: unknown } | undefined)?.version === "number";
}

async function request<R>(session: string, what: string, init: RequestInit, lost: string, isReply: (reply: unknown) => reply is R): Promise<R | Refused> {
  let response: Response;
  try {
    response = await fetch(`/api/v1/sessions/${session}/${what}`, { ...init, signal: AbortSignal.timeout(10_000) });
  } catch {
    return { problem: lost, field: undefined, type: undefined };
  }
  const reply: unknown = await response.json().catch(() => undefined);
  if (response.ok && isReply(reply)) return reply;
  const problem = (reply ?? {}) as Partial<Problem>;
  return { problem: sentence(response.status, problem), field: problem.field, type: problem.type };
}

function sentence(status: number, { type, title, detail, retryAfter }: Partial<Problem>): string {
  if (type?.endsWith("/stale-version")) {
    return t("The quiz had moved on before this arrived: the clock or another console was first. Nothing was done.");
  }
  if (status === 429 && retryAfter !== undefined) {
    return t({ one: "That was a lot at once. Please try again in {n} second.", other: "That was a lot at once. Please try again in {n} seconds." }, { n: retryAfter });
  }
  if (status === 401) return t("You are signed out. Sign in again, then come back to this page: the quiz waits.");
  return detail ?? title ?? t("The server refused this. Please try again.");
}
