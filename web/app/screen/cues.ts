import type { Snapshot } from "../lib/protocol";

/** What the big screen can sound like. */
export type Sound = "opened" | "tick" | "timeUp" | "revealed" | "finished";

/** A sound and when it is due, in Unix milliseconds of the server's clock. */
export interface Cue {
  sound: Sound;
  at: number;
}

/** The last seconds of a question that are counted down aloud. */
const ticks = [5, 4, 3, 2, 1];

/** What is still to be heard of the question on screen, if nothing changes. A question that brings sound of its own is not announced. */
export function ahead({ phase, question, opensAt = 0, closesAt = 0, pausedAt, voided }: Snapshot, now: number): Cue[] {
  if (phase !== "open" || pausedAt !== undefined || voided) return [];
  const cues: Cue[] = ticks.map((seconds) => ({ sound: "tick" as const, at: closesAt - seconds * 1_000 }));
  cues.push({ sound: "timeUp", at: closesAt });
  if (!question?.media || question.media.kind === "image") cues.unshift({ sound: "opened", at: opensAt });
  return cues.filter(({ at }) => at > now);
}

/** What is heard at the moment that one snapshot takes the other's place. Nothing is after a start: the room has heard it, or it is old. */
export function heard(before: Snapshot | undefined, after: Snapshot, now: number): Sound | undefined {
  if (!before || before.epoch !== after.epoch) return undefined;
  const turned = before.phase !== after.phase || before.question?.id !== after.question?.id;
  if (!turned) return undefined;
  switch (after.phase) {
    case "closed": // by the host; the clock's own end was heard when it came
      return before.phase === "open" && (before.pausedAt !== undefined || now < (before.closesAt ?? 0)) ? "timeUp" : undefined;
    case "revealed": // but not when the host steps back to it
      return after.question?.kind !== "slide" && ["open", "closed", "revealed"].includes(before.phase) ? "revealed" : undefined;
    case "finished":
      return "finished";
    default:
      return undefined;
  }
}
