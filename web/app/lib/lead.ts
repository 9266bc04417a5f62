// The time between a question's launch and its opening, in which every screen hears of it, so that all show it at the same moment.
import { useRef } from "preact/hooks";
import { useCountdown } from "./countdown";
import type { Snapshot } from "./protocol";

/** No lead is as long as this, in milliseconds: a clock that says so is wrong, and holds nothing back. */
const longest = 2_000;

/** Whether the question on screen was launched and has not opened, with so many milliseconds left until then. */
export function isAhead({ phase }: Pick<Snapshot, "phase">, untilOpen: number): boolean {
  return phase === "open" && untilOpen > 0 && untilOpen <= longest;
}

/** Whether the question is still to be shown. Once it was it stays, whatever is heard of the clock. */
export function useAhead(shared: Snapshot, now: () => number): boolean {
  const shown = useRef<string | undefined>(undefined);
  const untilOpen = useCountdown(shared.opensAt ?? 0, now);
  const question = shared.question?.id;
  if (isAhead(shared, untilOpen) && shown.current !== question) return true;
  shown.current = question;
  return false;
}

/** What is shown; or what is shown still, and what waits for its moment: laid out, loaded, and out of sight. */
export interface Staged<V> {
  /** The same for as long as it is there. */
  key: number;
  view: V;
  is: "shown" | "held" | "waiting";
}

/** One view is on stage, or while the next is ahead also that. Who has just come has nothing to hold, and sees that something comes. */
export type Stage<V> = [Staged<V>, ...Staged<V>[]];

/** What is on stage when this view is known, after what was there before. */
export function restage<V>(before: Stage<V> | undefined, view: V, ahead: boolean): Stage<V> {
  const [first, second] = before ?? [];
  const waiting = second ?? (first?.is === "waiting" ? first : undefined);
  const key = waiting?.key ?? first?.key ?? 0;
  if (!ahead) return [{ key, view, is: "shown" }];
  const next: Staged<V> = { key: waiting ? key : key + 1, view, is: "waiting" };
  return first && first !== waiting ? [{ ...first, is: "held" }, next] : [next];
}

export function useStage<V>(view: V, ahead: boolean): Stage<V> {
  const stage = useRef<Stage<V> | undefined>(undefined);
  stage.current = restage(stage.current, view, ahead);
  return stage.current;
}
