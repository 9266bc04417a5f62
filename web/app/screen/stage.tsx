import { useContext, useRef } from "preact/hooks";
import { t } from "../lib/language";
import { useAhead, useStage } from "../lib/lead";
import type { Look, ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
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

interface StageProps {
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
 * true picture of the television. A question that was launched waits, out of sight, until the phones show it.
 */
export function Stage({ look, picture, ...scene }: StageProps) {
  const stage = useStage({ snapshot: scene.snapshot, live: scene.live, picture }, useAhead(scene.snapshot, scene.now));
  const { view, is } = stage[0];
  const { snapshot } = view;
  const shown = view.picture === undefined ? undefined : look?.pictures[view.picture];
  return (
    <QuizLanguage.Provider value={snapshot.language}>
      <div class="stage" data-phase={snapshot.phase} data-accent={look?.accent} style={colours(look)}>
        <div class="scene">
          {snapshot.phase !== "lobby" && (
            <header class="stage-top">
              {look?.logo && <Logo id={look.logo} />}
              <Place snapshot={snapshot} />
              {snapshot.phase !== "finished" && !snapshot.doorsLocked && <Corner snapshot={snapshot} />}
            </header>
          )}
          {is === "waiting" && <p class="get-ready">{t("Get ready…")}</p>}
          {stage.map(({ key, view: { snapshot, live }, is }) => (
            <div key={key} class="staged" data-is={is} inert={is !== "shown"}>
              <Scene {...scene} snapshot={snapshot} live={live} logo={look?.logo} waiting={is === "waiting"} />
            </div>
          ))}
          {shown && <BreakPicture id={shown} />}
        </div>
      </div>
    </QuizLanguage.Provider>
  );
}

type SceneProps = Omit<StageProps, "look" | "picture"> & { logo: string | undefined; waiting: boolean };

function Scene({ snapshot, live, now, playing = false, logo, waiting }: SceneProps) {
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
      return <Asked snapshot={snapshot} live={live} now={now} playing={playing} waiting={waiting} />;
  }
}

function Place({ snapshot: { phase, title, round, rounds, question } }: { snapshot: ScreenSnapshot }) {
  if (!round || phase === "finished") return <Title title={title} />;
  const words = [t("Round {number} of {all}", { number: round.number, all: rounds })];
  if (round.pacing === "round" && phase === "revealed") words.push(t("The answers"));
  if (question) words.push(question.tieBreak ? t("Tie-break") : t("Question {number} of {all}", { number: question.number, all: round.questions }));
  const scored = question && !question.tieBreak && !question.wager && question.kind !== "poll" && question.kind !== "slide";
  if (scored && (round.weight ?? 1) > 1) words.push(weightWords(round.weight ?? 1));
  const place = <p class="place">{words.join(" · ")}</p>;
  if (phase !== "standings") return place;
  return (
    <div>
      <h1>{t("Standings")}</h1>
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
      <bdi lang={useContext(QuizLanguage)}>{title}</bdi>
    </h1>
  );
}
