import { t } from "../lib/language";
import type { Refusal, Room, Via } from "../lib/protocol";

/** What a phone that is in did to be asked for patience, by limiter. */
const reasons: Record<string, string> = {
  submitAnswer: t("too many answers"),
  sessionPoll: t("it asked for news too often"),
  socketOpen: t("it connected too often"),
  global: t("the phones that are in sent too much at once"),
};

/** A refusal in plain words. */
export function refusalWords(refusal: Refusal): string {
  const { limiter, participant, name, count: n } = refusal;
  if (name !== undefined) return t("{who} was asked to slow down: {reason} ({count}×)", { who: name, ...reasonOf(refusal) });
  if (participant !== undefined) return t("A phone was asked to slow down: {reason} ({count}×)", reasonOf(refusal));
  switch (limiter) {
    case "joinSession":
      return t({ one: "{n} try to join had to wait: too many in one minute", other: "{n} tries to join had to wait: too many in one minute" }, { n });
    case "playerPageLoad":
      return t({ one: "{n} visit to the join page had to wait: too many in one minute", other: "{n} visits to the join page had to wait: too many in one minute" }, { n });
    default:
      return t({ one: "{n} request from the door had to wait: too many in one minute", other: "{n} requests from the door had to wait: too many in one minute" }, { n });
  }
}

function reasonOf({ limiter, count }: Refusal): { reason: string; count: number } {
  return { reason: reasons[limiter] ?? t("too much at once"), count };
}

/** Whom a refusal met, as a screen reader hears of it. */
export function waitWords({ name }: Refusal): string {
  return name === undefined ? t("Phones on the way in had to wait") : t("{who} had to wait", { who: name });
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

/** What a phone was asked to slow down with, where there is room for two words. */
export function chipWords({ limiter }: Refusal): string {
  switch (limiter) {
    case "submitAnswer":
      return t("slowed: answers");
    case "sessionPoll":
      return t("slowed: news");
    case "socketOpen":
      return t("slowed: connecting");
    default:
      return t("slowed");
  }
}

const standings: Record<Via, string> = {
  socket: t("Live: its phone hears of everything at once."),
  poll: t("Polling: its network lets no live connection through. Everything works, a few seconds later; another WiFi or mobile data would be quicker."),
  away: t("Away: the screen is off, the page is closed or the WiFi is gone. It comes back by itself once somebody picks it up; another phone can take its place."),
};

/** How a phone stands, and what the host can do about it. */
export function standingWords(via: Via, refused: readonly Refusal[]): string {
  const [latest] = refused;
  if (!latest) return standings[via];
  const asked = t("It was asked to slow down: {reason} ({count}×).", reasonOf(latest));
  return `${standings[via]} ${asked} ${t("It goes on by itself within a minute, and what was locked in counts. If somebody plays tricks, remove it.")}`;
}
