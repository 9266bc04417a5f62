import { useEffect, useState } from "preact/hooks";
import type { ServerClock } from "./clock";

/** Milliseconds from the server's now until a time, counted down while it lies ahead; 0 when it has passed. */
export function useRemaining(until: number, clock: ServerClock): number {
  const [remaining, setRemaining] = useState(() => until - clock.now());
  useEffect(() => {
    let timer = 0;
    const tick = () => {
      const left = until - clock.now();
      setRemaining(left);
      // Wakes just after the shown second changes, so that all screens change together.
      if (left > 0) timer = window.setTimeout(tick, (left % 1000) + 1);
    };
    tick();
    // A sleeping device fires no timers: look at the clock again when it is back.
    document.addEventListener("visibilitychange", tick);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [until, clock]);
  return Math.max(0, remaining);
}

const circumference = 2 * Math.PI * 20;

/** A ring that empties as the time runs out, with the seconds left in it. A screen reader is not read every second. */
export function Countdown(props: { opensAt: number; closesAt: number; clock: ServerClock }) {
  const left = useRemaining(props.closesAt, props.clock);
  const whole = Math.max(1, props.closesAt - props.opensAt);
  const seconds = Math.ceil(left / 1000);
  return (
    <span class="countdown" role="timer" aria-label="Seconds left" data-short={seconds <= 5 || undefined}>
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <circle cx="22" cy="22" r="20" />
        <circle
          cx="22"
          cy="22"
          r="20"
          stroke-dasharray={circumference}
          stroke-dashoffset={circumference * (1 - Math.min(1, left / whole))}
        />
      </svg>
      {seconds}
    </span>
  );
}
