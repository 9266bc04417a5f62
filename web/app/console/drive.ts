import type { Command } from "../lib/protocol";
import { ask, isVersion, type Refused } from "./ask";

/** What a command carries besides its name. */
export interface CommandDetail {
  participant?: string;
  participants?: string[];
  name?: string;
  capacity?: number;
  seconds?: number;
  question?: string;
  points?: number;
  reason?: string;
}

/** What became of a command. */
export type Reply = { version: number } | Refused;

/** Sends one command, meant for the version that the host saw. It never throws. */
export function send(session: string, version: number, command: Command, detail: CommandDetail = {}): Promise<Reply> {
  return ask(session, "commands", { version, command, ...detail }, isVersion);
}
