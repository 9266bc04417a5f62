import { useTimeLeft } from "../lib/countdown";
import type { HostLive, HostSnapshot } from "../lib/protocol";
import { plural } from "../lib/words";
import type { SightProps } from "../sights/sight";
import { Preview, type Sights } from "./preview";
import { phaseName } from "./steps";

interface OnTelevisionProps {
  on: SightProps["on"];
  sights: Sights;
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  now: () => number;
}

/** The television or a phone in small, and in words: its phase, the time left, how many have answered and, before the room knows, how many are right. */
export function OnTelevision(props: OnTelevisionProps) {
  const { snapshot, live, now } = props;
  const left = useTimeLeft(snapshot, now);
  const open = snapshot.phase === "open";
  return (
    <>
      <Preview {...props} />
      <p class="state">
        <strong>{phaseName(snapshot.phase)}</strong>
        {open && left > 0 && (
          <span class="left">
            {Math.ceil(left / 1000)} s left{snapshot.pausedAt !== undefined && ", paused"}
          </span>
        )}
        {live && open && <span class="answered">{progress(live)}</span>}
        {snapshot.phase === "closed" && snapshot.right !== undefined && (
          <span class="answered">
            {snapshot.right} of {plural(snapshot.answered ?? 0, "answer", "answers")} right
          </span>
        )}
      </p>
    </>
  );
}

/** Who is away keeps nobody waiting. */
function progress({ answered, joined, participants = [] }: HostLive): string {
  const done = answered > 0 && participants.every((participant) => participant.answered || participant.via === "away");
  return done ? "Everybody here has answered" : `${answered} of ${joined} answered`;
}
