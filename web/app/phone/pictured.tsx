import { useMemo } from "preact/hooks";
import { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { Lobby } from "./lobby";
import { PlayTop } from "./play-top";
import { QuestionScene } from "./question";
import { RoundIntroduction } from "./round";
import { Finished, StandingsScene } from "./standings";

interface PicturedProps {
  shared: Snapshot;
  personal: Personal;
  now: () => number;
}

/** A phone that is only looked at: nobody taps on it, so nothing is ever sent. */
export function PicturedPhone({ shared, personal, now }: PicturedProps) {
  const { phase, question } = shared;
  const outbox = useMemo(() => new Outbox("picture", "", { send: () => false, refresh: async () => false, personal: () => undefined }), []);
  const asked = question && phase !== "standings" && phase !== "finished";
  return (
    <div class="page play" data-phase={phase}>
      <PlayTop personal={personal} phase={phase} connection="socket" old={false} />
      {phase === "lobby" && <Lobby session="picture" shared={shared} personal={personal} now={now} />}
      {phase === "round" && <RoundIntroduction session="picture" shared={shared} personal={personal} />}
      {asked && <QuestionScene key={question.id} shared={shared} personal={personal} outbox={outbox} now={now} />}
      {phase === "standings" && <StandingsScene shared={shared} personal={personal} />}
      {phase === "finished" && <Finished shared={shared} personal={personal} />}
    </div>
  );
}
