import type { Problem } from "../lib/protocol";
import { randomID } from "../lib/random-id";
import { forget, keep, kept } from "../lib/storage";

/** What came of a try to join: in; refused with a reason; asked to wait; or no word from the server. */
export type Joining =
  | { session: string }
  | { problem: Problem }
  | { wait: number } // seconds, as the server asked
  | "unreachable";

/** The code that a phone comes in with: the one on the big screen, or a rejoin code, which the host gave to this phone alone. */
export interface WayIn {
  code: string;
  rejoin: boolean;
}

const patience = 10_000;
const typed = "joining-name";

/** The name that was typed and has not led in yet. */
export function typedName(): string {
  return kept(typed) ?? "";
}

/** Tries once to join. It never throws. Until it has worked, every try is the same attempt, so that a lost reply leaves no double. */
export async function joinSession({ code, rejoin }: WayIn, name: string): Promise<Joining> {
  const key = `joining:${code}`;
  const attempt = kept(key) ?? randomID();
  keep(key, attempt);
  keep(typed, name);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  try {
    const response = await fetch(`/api/v1/${rejoin ? "rejoin" : "join"}/${encodeURIComponent(code)}`, {
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
      forget(typed);
      return { session: body.session };
    }
    return response.status < 500 && body.title ? { problem: body } : "unreachable";
  } catch {
    return "unreachable";
  } finally {
    clearTimeout(timer);
  }
}
