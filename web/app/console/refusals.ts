import type { Refusal, Room, Via } from "../lib/protocol";
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

/** Which limits have asked whom to slow down, by the participant's id; the latest first. */
export function refusalsOf(room: Room | undefined): ReadonlyMap<string, readonly Refusal[]> {
  const refusals = new Map<string, Refusal[]>();
  for (const refusal of room?.refused ?? []) {
    const { participant } = refusal;
    if (participant !== undefined) refusals.set(participant, [...(refusals.get(participant) ?? []), refusal]);
  }
  return refusals;
}

const chips: Record<string, string> = { submitAnswer: "answers", sessionPoll: "news", socketOpen: "connecting" };

/** What a phone was asked to slow down with, where there is room for two words. */
export function chipWords({ limiter }: Refusal): string {
  const what = chips[limiter];
  return what === undefined ? "slowed" : `slowed: ${what}`;
}

const standings: Record<Via, string> = {
  socket: "Live: its phone hears of everything at once.",
  poll: "Polling: its network lets no live connection through. Everything works, a few seconds later; another WiFi or mobile data would be quicker.",
  away: "Away: the screen is off, the page is closed or the WiFi is gone. It comes back by itself once somebody picks it up; another phone can take its place.",
};

/** How a phone stands, and what the host can do about it. */
export function standingWords(via: Via, refused: readonly Refusal[]): string {
  const [latest] = refused;
  if (!latest) return standings[via];
  return `${standings[via]} It ${told({ ...latest, name: "" }).what}. It goes on by itself within a minute, and what was locked in counts. If somebody plays tricks, remove it.`;
}
