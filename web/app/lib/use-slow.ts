import { useEffect, useState } from "preact/hooks";

/** How long, in milliseconds, something may take before a screen says that it does: words that are soon gone again only flash. */
const patience = 300;

/** Whether something has been under way for a while. */
export function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), patience);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return busy && slow;
}
