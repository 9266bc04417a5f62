import type { Problem } from "../lib/protocol";
import { randomID } from "../lib/random-id";
import { forget, keep, kept } from "../lib/storage";

/** What came of a try to join: in; refused with a reason; asked to wait; or no word from the server. */
export type Joining =
  | { session: string }
  | { problem: Problem }
  | { wait: number } // seconds, as the server asked
  | "unreachable";

const patience = 10_000;

/** Tries once to join. It never throws. Until it has worked, every try is the same attempt, so that a lost reply leaves no double. */
export async function joinSession(code: string, name: string): Promise<Joining> {
  const key = `joining:${code}`;
  const attempt = kept(key) ?? randomID();
  keep(key, attempt);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  try {
    const response = await fetch(`/api/v1/join/${encodeURIComponent(code)}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name, attempt }),
      redirect: "error",
      signal: abort.signal,
    });
    if (response.status === 429 || response.status === 503) return { wait: Number(response.headers.get("Retry-After") ?? 5) };
    const body = (await response.json()) as { session?: string } & Problem;
    if (response.ok && body.session) {
      forget(key);
      return { session: body.session };
    }
    return response.status < 500 && body.title ? { problem: body } : "unreachable";
  } catch {
    return "unreachable";
  } finally {
    clearTimeout(timer);
  }
}
