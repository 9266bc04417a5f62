import type { Participant } from "../lib/protocol";

/** Participants by id. */
export type Chosen = ReadonlySet<string>;

/** Adds them to the chosen, or takes them out. */
export function choose(chosen: Chosen, ids: readonly string[], on: boolean): Chosen {
  const after = new Set(chosen);
  for (const id of ids) {
    if (on) after.add(id);
    else after.delete(id);
  }
  return after;
}

/** Who joined after the participant with the id; they come in the order of joining. */
export function joinedAfter(participants: readonly Participant[], id: string): string[] {
  const at = participants.findIndex((participant) => participant.id === id);
  return at < 0 ? [] : ids(participants.slice(at + 1));
}

/** From one listed participant to another, both included, whichever comes first. */
export function between(listed: readonly Participant[], one: string, other: string): string[] {
  const [from, to] = [one, other].map((id) => listed.findIndex((participant) => participant.id === id)).sort((a, b) => a - b);
  return from === undefined || to === undefined || from < 0 ? [other] : ids(listed.slice(from, to + 1));
}

/** Whose name has the text in it, whatever its case and accents. */
export function found(participants: readonly Participant[], text: string): readonly Participant[] {
  const sought = folded(text.trim());
  return sought === "" ? participants : participants.filter((participant) => folded(participant.name).includes(sought));
}

export function ids(participants: readonly Participant[]): string[] {
  return participants.map((participant) => participant.id);
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
