import { useTimeLeft } from "../lib/countdown";
import { t } from "../lib/language";
import { useAhead } from "../lib/lead";
import type { HostLive, HostSnapshot } from "../lib/protocol";
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
  const ahead = useAhead(snapshot, now);
  const open = snapshot.phase === "open";
  return (
    <>
      <Preview {...props} />
      <p class="state">
        <strong>{phaseName(snapshot.phase)}</strong>
        {open && left > 0 && (
          <span>
            {leftWords(Math.ceil(left / 1000), ahead, snapshot.pausedAt !== undefined)}
          </span>
        )}
        {live && open && <span class="answered">{progress(live)}</span>}
        {snapshot.phase === "closed" && snapshot.right !== undefined && (
          <span class="answered">
            {snapshot.answered
              ? t({ one: "{right} of {n} answer right", other: "{right} of {n} answers right" }, { n: snapshot.answered, right: snapshot.right })
              : t("Nobody answered.")}
          </span>
        )}
      </p>
    </>
  );
}

function leftWords(seconds: number, ahead: boolean, paused: boolean): string {
  if (ahead) return paused ? t("Here it comes…, paused") : t("Here it comes…");
  return paused ? t("{seconds} s left, paused", { seconds }) : t("{seconds} s left", { seconds });
}

/** Who is away keeps nobody waiting. */
function progress({ answered, joined, participants = [] }: HostLive): string {
  const done = answered > 0 && participants.every((participant) => participant.answered || participant.via === "away");
  return done ? t("Everybody here has answered") : t("{answered} of {joined} answered", { answered, joined });
}
