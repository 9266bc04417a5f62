import { useEffect, useState } from "preact/hooks";
import { t } from "./language";
import type { Snapshot } from "./protocol";

/** Milliseconds left until a time of the server's clock, counted down second by second; 0 when it has passed. */
export function useCountdown(until: number, now: () => number): number {
  const [, again] = useState(0);
  const look = () => again((looks) => looks + 1);
  const left = Math.max(0, until - now());
  useEffect(() => {
    if (left === 0) return;
    // Wakes just after the shown second changes, so that all screens change together.
    const timer = window.setTimeout(look, Math.max(0, (until - now()) % 1000) + 1);
    return () => window.clearTimeout(timer);
  });
  useEffect(() => {
    // A sleeping device fires no timers: look at the clock again when it is back.
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return left;
}

/** Milliseconds left to answer the question on screen; they stand still while its clock is paused, and until it opens. */
export function useTimeLeft({ opensAt = 0, closesAt = 0, pausedAt }: Snapshot, now: () => number): number {
  const left = useCountdown(pausedAt === undefined ? closesAt : 0, now);
  return pausedAt === undefined ? Math.min(left, closesAt - opensAt) : Math.max(0, closesAt - pausedAt);
}

const circumference = 2 * Math.PI * 20;

interface CountdownProps {
  /** Milliseconds. */
  left: number;
  whole: number;
  paused?: boolean;
}

/** A ring that empties as the time runs out, with the seconds left in it. */
export function Countdown({ left, whole, paused = false }: CountdownProps) {
  const seconds = Math.ceil(left / 1000);
  const share = Math.min(1, left / Math.max(1, whole));
  return (
    // A timer is a live region that is off by default: a screen reader reads it when asked, not every second.
    <span
      class="countdown"
      role="timer"
      aria-label={paused ? t({ one: "{n} second left, paused", other: "{n} seconds left, paused" }, { n: seconds }) : t({ one: "{n} second left", other: "{n} seconds left" }, { n: seconds })}
      data-short={seconds <= 5 && !paused ? "" : undefined}
      data-paused={paused ? "" : undefined}
    >
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <circle cx="22" cy="22" r="20" />
        <circle cx="22" cy="22" r="20" stroke-dasharray={circumference} stroke-dashoffset={circumference * (1 - share)} />
      </svg>
      {seconds}
    </span>
  );
}
