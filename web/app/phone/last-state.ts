import type { Personal, Snapshot } from "../lib/protocol";
import { forget, keep, kept } from "../lib/storage";

/** What a phone last knew of its session. It is shown after a reload for as long as the server cannot be reached. */
export interface LastState {
  session: string;
  shared: Snapshot;
  personal: Personal;
  /** The server's clock against the phone's, in milliseconds. */
  ahead: number;
}

const key = "last-state"; // one for all sessions: a phone plays one at a time, and leaves no others behind
const version = import.meta.url; // what another version of this script has kept may mean something else

export function keepLastState(state: LastState): void {
  keep(key, JSON.stringify({ version, ...state }));
}

export function lastState(session: string): LastState | undefined {
  const state = JSON.parse(kept(key) ?? "null") as (LastState & { version: string }) | null;
  return state?.session === session && state.version === version ? state : undefined;
}

/** For a seat that is no longer this phone's, or a new one. */
export function forgetLastState(): void {
  forget(key);
}
