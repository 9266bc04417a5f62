import { useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import type { Problem } from "../lib/protocol";
import { backoff, retryWait } from "../lib/schedule";
import { joinSession, type WayIn } from "./join-session";

/** What a form is doing: nothing, asking the server, or waiting until a time to ask again by itself. */
export type Activity = { kind: "idle" } | { kind: "joining" } | { kind: "waiting"; until: number; reason: string };

/** Joins until it is in or refused for good: what the WiFi or a limit puts off is tried again, spread out. */
export function useJoining(way: WayIn, onJoined: (session: string) => void, onProblem: (problem: Problem) => void) {
  const [activity, setActivity] = useState<Activity>({ kind: "idle" });
  const attempt = useRef(0);
  const wait = (milliseconds: number, reason: string) => {
    attempt.current++;
    setActivity({ kind: "waiting", until: Date.now() + milliseconds, reason });
  };
  const join = async (name: string) => {
    setActivity({ kind: "joining" });
    const joining = await joinSession(way, name);
    if (joining === "unreachable") return wait(1_000 + backoff(attempt.current, Math.random), t("The WiFi is struggling."));
    if ("wait" in joining) {
      return wait(retryWait(joining.wait, attempt.current, Math.random), t("Lots of people are coming in at once."));
    }
    attempt.current = 0;
    setActivity({ kind: "idle" });
    if ("session" in joining) onJoined(joining.session);
    else onProblem(joining.problem);
  };
  return { activity, join };
}
