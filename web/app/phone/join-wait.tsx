import { useEffect } from "preact/hooks";
import { useCountdown } from "../lib/countdown";
import { t } from "../lib/language";
import type { Activity } from "./use-joining";

/** Says what is waited for and what is kept meanwhile, counts down to the next try, and makes it. */
export function JoinWait({ activity, keeps, over }: { activity: Activity; keeps: string; over: () => void }) {
  return (
    <div class="join-wait" role="status">
      {activity.kind === "waiting" && <Wait key={activity.until} {...activity} keeps={keeps} over={over} />}
    </div>
  );
}

function Wait({ until, reason, keeps, over }: { until: number; reason: string; keeps: string; over: () => void }) {
  const left = useCountdown(until, Date.now);
  useEffect(() => {
    if (left === 0) over();
  }, [left === 0]);
  return (
    <>
      <p>
        {reason} {keeps}
      </p>
      <p class="tabular" aria-hidden="true">
        {t("Next try in {n} s", { n: Math.ceil(left / 1000) })}
      </p>
    </>
  );
}
