// What the phone itself can do for the game, where its browser lets it.
import { useEffect, useRef } from "preact/hooks";
import type { Snapshot } from "../lib/protocol";

/** Keeps the screen awake while wanted. The lock is lost whenever the page is hidden, and taken again when it is back. */
export function useWakeLock(wanted: boolean): void {
  useEffect(() => {
    if (!wanted || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let over = false;
    const take = async () => {
      if (document.hidden) return;
      try {
        lock = await navigator.wakeLock.request("screen");
        if (over) await lock.release();
      } catch {
        // Low battery, or the browser's policy: the phone may sleep, the game goes on.
      }
    };
    void take();
    document.addEventListener("visibilitychange", take);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", take);
      void lock?.release();
    };
  }, [wanted]);
}

/** Vibrates lightly when a question opens before the player's eyes, not when the page comes back to one that is open. */
export function useOpeningBuzz(shared: Snapshot | undefined, now: () => number): void {
  const seen = useRef<Snapshot | undefined>(undefined);
  const open = shared?.phase === "open" && shared.question?.id;
  useEffect(() => {
    const before = seen.current;
    seen.current = shared;
    if (!before || !open || before.question?.id === open) return;
    const timer = setTimeout(vibrate, (shared.opensAt ?? 0) - now());
    return () => clearTimeout(timer);
  }, [!shared, open]); // other news before it opens take nothing back
}

/** Browsers let a page vibrate only once it was touched, and complain otherwise: after a reload it may not have been. */
function vibrate(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
}
