import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { weightWords } from "../lib/rules";
import { Asked } from "./asked";
import { Corner } from "./corner";
import { Lobby } from "./lobby";
import { Podium } from "./podium";
import { RoundIntroduction } from "./round";
import { Standings } from "./standings";

export interface StageProps {
  snapshot: ScreenSnapshot;
  live: ScreenLive | undefined;
  /** The server's time now, in Unix milliseconds. */
  now: () => number;
  /** Whether sounds and films play: on the television, not on a picture of it. */
  playing?: boolean;
}

/**
 * What the room sees. Everything in it is sized by the stage's own height and width, so that a stage of any size is a
 * true picture of the television.
 */
export function Stage({ snapshot, live, now, playing }: StageProps) {
  return (
    <div class="stage" data-phase={snapshot.phase}>
      <div class="scene">
        {snapshot.phase !== "lobby" && (
          <header class="stage-top">
            <Place snapshot={snapshot} />
            {snapshot.phase !== "finished" && !snapshot.doorsLocked && <Corner snapshot={snapshot} />}
          </header>
        )}
        <Scene snapshot={snapshot} live={live} now={now} playing={playing} />
      </div>
    </div>
  );
}

function Scene({ snapshot, live, now, playing = false }: StageProps) {
  switch (snapshot.phase) {
    case "lobby":
      return <Lobby snapshot={snapshot} live={live} />;
    case "round":
      return <RoundIntroduction snapshot={snapshot} />;
    case "standings":
      return <Standings snapshot={snapshot} />;
    case "finished":
      return <Podium snapshot={snapshot} />;
    default:
      return <Asked snapshot={snapshot} live={live} now={now} playing={playing} />;
  }
}

function Place({ snapshot: { phase, title, round, rounds, question } }: { snapshot: ScreenSnapshot }) {
  if (!round || phase === "finished") {
    return (
      <h1>
        <bdi>{title}</bdi>
      </h1>
    );
  }
  const words = [`Round ${round.number} of ${rounds}`];
  if (round.pacing === "round" && phase === "revealed") words.push("The answers");
  if (question) words.push(question.tieBreak ? "Tie-break" : `Question ${question.number} of ${round.questions}`);
  const scored = question && !question.tieBreak && question.kind !== "poll" && question.kind !== "slide";
  if (scored && (round.weight ?? 1) > 1) words.push(weightWords(round.weight ?? 1));
  const place = <p class="place">{words.join(" · ")}</p>;
  if (phase !== "standings") return place;
  return (
    <div>
      <h1>Standings</h1>
      {place}
    </div>
  );
}
