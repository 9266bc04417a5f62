import type { Refusal, Room } from "../lib/protocol";
import { plural } from "../lib/words";

/** What a phone that is in did to be asked for patience, by limiter. */
const reasons: Record<string, string> = {
  submitAnswer: "too many answers",
  sessionPoll: "it asked for news too often",
  socketOpen: "it connected too often",
  global: "the phones that are in sent too much at once",
};

/** What phones that are not in yet were asked to wait with. */
const errands: Record<string, readonly [one: string, many: string]> = {
  joinSession: ["try to join", "tries to join"],
  playerPageLoad: ["visit to the join page", "visits to the join page"],
};

/** A refusal in plain words. who is a participant's name, which begins the sentence. */
export interface Told {
  who?: string;
  what: string;
}

export function told({ limiter, participant, name, count }: Refusal): Told {
  if (participant !== undefined || name !== undefined) {
    const what = `was asked to slow down: ${reasons[limiter] ?? "too much at once"} (${count}×)`;
    return name === undefined ? { what: `A phone ${what}` } : { who: name, what };
  }
  const [one, many] = errands[limiter] ?? ["request from the door", "requests from the door"];
  return { what: `${plural(count, one, many)} had to wait: too many in one minute` };
}

/** Whether phones that are not in yet were asked to wait. */
export function queueing(room: Room): boolean {
  return room.refused.some((refusal) => refusal.participant === undefined);
}

/** The participants whom a limit has asked to slow down, by id. */
export function slowed(room: Room | undefined): ReadonlySet<string> {
  return new Set(room?.refused.flatMap(({ participant }) => participant ?? []));
}
