import type { Command, Problem } from "../lib/protocol";
import { plural } from "../lib/words";

/** What a command carries besides its name. */
export interface CommandDetail {
  participant?: string;
  name?: string;
}

/** What became of a command. */
export type Reply = { version: number } | { problem: string; field: string | undefined };

/**
 * Sends one command, meant for the version that the host saw. It never throws: whatever goes wrong comes back as a
 * sentence that says what happened and what to do.
 */
export async function send(session: string, version: number, command: Command, detail: CommandDetail = {}): Promise<Reply> {
  let response: Response;
  try {
    response = await fetch(`/api/v1/sessions/${session}/commands`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ version, command, ...detail }),
      signal: AbortSignal.timeout(10_000),
    });
  } catch {
    return { problem: "The server did not answer. Look at the television before you try again: it may have arrived.", field: undefined };
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && isVersion(body)) return body;
  return refusal(response.status, (body ?? {}) as Partial<Problem>);
}

function isVersion(body: unknown): body is { version: number } {
  return typeof body === "object" && body !== null && typeof (body as { version?: unknown }).version === "number";
}

function refusal(status: number, problem: Partial<Problem>): Reply {
  return { problem: sentence(status, problem), field: problem.field };
}

function sentence(status: number, { type, title, detail, retryAfter }: Partial<Problem>): string {
  if (type?.endsWith("/stale-version")) {
    return "The quiz had moved on before this arrived: the clock or another console was first. Nothing was done.";
  }
  if (retryAfter !== undefined) return `That was a lot at once. Please try again in ${plural(retryAfter, "second", "seconds")}.`;
  if (status === 401) return "You are signed out. Sign in again, then come back to this page: the quiz waits.";
  return detail ?? title ?? "The server refused this. Please try again.";
}
