import type { RejoinCode } from "../lib/protocol";
import { ask, type Refused } from "./ask";

/** Makes a way in for one phone: to the seat of the participant with the id, or to a new one. It never throws. */
export function makeRejoinCode(session: string, participant: string | undefined): Promise<RejoinCode | Refused> {
  return ask(session, "rejoin-codes", participant === undefined ? {} : { participant }, isRejoinCode);
}

function isRejoinCode(reply: unknown): reply is RejoinCode {
  return typeof (reply as { code?: unknown } | undefined)?.code === "string";
}

/** A code in two halves, as it is easier to read out and to type. */
export function halves(code: string): string {
  const middle = Math.ceil(code.length / 2);
  return `${code.slice(0, middle)} ${code.slice(middle)}`;
}
