import { useEffect, useState } from "preact/hooks";
import type { Phase, ScreenSnapshot } from "../lib/protocol";

/** How long, in milliseconds, the quiz itself is on screen before the breaks' pictures begin, and between two rounds of them. */
const rest: Partial<Record<Phase, number>> = { round: 20_000, standings: 90_000 };

/** How long, in milliseconds, each picture is. */
const turn = 10_000;

/** What is on screen so long after the last change: a picture's place in the list, or nothing, which is the quiz itself; and when that ends. */
export function breakAt(phase: Phase, pictures: number, elapsed: number): { picture?: number; until: number } {
  const first = rest[phase];
  if (first === undefined || pictures === 0) return { until: Infinity };
  const whole = first + pictures * turn;
  const begun = Math.floor(elapsed / whole) * whole;
  const shown = Math.floor((elapsed - begun - first) / turn);
  if (shown < 0) return { until: begun + first };
  return { picture: shown, until: begun + first + (shown + 1) * turn };
}

/** The picture that a pause calls for. Whatever the host does ends it, and so does whoever touches the screen or its keyboard. */
export function useBreak(snapshot: ScreenSnapshot | undefined, pictures: number): number | undefined {
  const [shown, show] = useState<number>();
  const phase = snapshot?.phase ?? "lobby";
  useEffect(() => {
    let timer = 0;
    let since = 0;
    const look = () => {
      const elapsed = performance.now() - since;
      const { picture, until } = breakAt(phase, pictures, elapsed);
      show(picture);
      if (until < Infinity) timer = window.setTimeout(look, until - elapsed + 1);
    };
    const begin = () => {
      window.clearTimeout(timer);
      since = performance.now();
      look();
    };
    begin();
    document.addEventListener("pointerdown", begin);
    document.addEventListener("keydown", begin);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("pointerdown", begin);
      document.removeEventListener("keydown", begin);
    };
  }, [phase, snapshot?.epoch, snapshot?.version, pictures]);
  return shown;
}
