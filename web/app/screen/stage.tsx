import { useRef } from "preact/hooks";
import type { Look, ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { weightWords } from "../lib/rules";
import { Asked } from "./asked";
import { BreakPicture } from "./break-picture";
import { colours } from "./colours";
import { Corner } from "./corner";
import { useFit } from "./fit";
import { Lobby } from "./lobby";
import { Logo } from "./logo";
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
  /** The pub's; absent: the product's own. */
  look?: Look | undefined;
  /** Which of the look's pictures is shown in place of the scene. */
  picture?: number | undefined;
}

/**
 * What the room sees. Everything in it is sized by the stage's own height and width, so that a stage of any size is a
 * true picture of the television.
 */
export function Stage({ look, picture, ...scene }: StageProps) {
  const { snapshot } = scene;
  const shown = picture === undefined ? undefined : look?.pictures[picture];
  return (
    <div class="stage" data-phase={snapshot.phase} data-accent={look?.accent} style={colours(look)}>
      <div class="scene">
        {snapshot.phase !== "lobby" && (
          <header class="stage-top">
            {look?.logo && <Logo id={look.logo} />}
            <Place snapshot={snapshot} />
            {snapshot.phase !== "finished" && !snapshot.doorsLocked && <Corner snapshot={snapshot} />}
          </header>
        )}
        <Scene {...scene} logo={look?.logo} />
        {shown && <BreakPicture id={shown} />}
      </div>
    </div>
  );
}

type SceneProps = Omit<StageProps, "look" | "picture"> & { logo: string | undefined };

function Scene({ snapshot, live, now, playing = false, logo }: SceneProps) {
  switch (snapshot.phase) {
    case "lobby":
      return <Lobby snapshot={snapshot} live={live} logo={logo} />;
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
  if (!round || phase === "finished") return <Title title={title} />;
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

/** The quiz's title on two lines at most, as large as fits. */
function Title({ title }: { title: string }) {
  const box = useRef<HTMLHeadingElement>(null);
  useFit(box, { min: 0.3, max: 1 }, title);
  return (
    <h1 class="fitted" ref={box}>
      <bdi>{title}</bdi>
    </h1>
  );
}
