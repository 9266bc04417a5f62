import { useRef } from "preact/hooks";
import { Countdown, useCountdown, useTimeLeft } from "../lib/countdown";
import type { Question, ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { plural } from "../lib/words";
import { Answer } from "./answer";
import { useFit } from "./fit";
import { Sound, StageMedia } from "./media";

interface AskedProps {
  snapshot: ScreenSnapshot;
  live: ScreenLive | undefined;
  /** The server's time now, in Unix milliseconds. */
  now: () => number;
  /** Whether sounds and films play: on the television, not on a picture of it. */
  playing: boolean;
}

/** A question from its launch to its reveal; it appears when the phones show it, on the server's clock. */
export function Asked(props: AskedProps) {
  const { phase, opensAt = 0 } = props.snapshot;
  const untilOpen = useCountdown(opensAt, props.now);
  return phase === "open" && untilOpen > 0 ? <p class="get-ready">Get ready…</p> : <Shown {...props} />;
}

/** Nothing moves between open, closed and revealed but what is new. */
function Shown({ snapshot, live, now, playing }: AskedProps) {
  const box = useRef<HTMLDivElement>(null);
  const { question, phase, pausedAt } = snapshot;
  useFit(box, { min: 0.25, max: 1.7 }, `${snapshot.version} ${phase}`, question?.options ? [2, 1] : undefined);
  if (!question) return null;
  const { media } = question;
  const play = { playing, paused: pausedAt !== undefined, fresh: phase === "open" || question.kind === "slide" };
  return (
    <div class="asked" data-kind={question.kind}>
      <div class="asked-body" data-media={media?.kind}>
        <div class="fit" ref={box}>
          {/* The question's own direction is its options' too. */}
          <div dir="auto">
            {media?.kind === "audio" && <Sound key={question.id} media={media} {...play} />}
            <h1 class="question" data-fit>
              {question.text}
            </h1>
            {phase !== "revealed" && <HowTo question={question} />}
            <Answer question={question} snapshot={snapshot} />
          </div>
        </div>
        {media && media.kind !== "audio" && <StageMedia key={question.id} media={media} {...play} />}
      </div>
      <footer class="stage-foot">
        {phase === "open" ? <Open snapshot={snapshot} live={live} now={now} /> : <Result snapshot={snapshot} live={live} />}
      </footer>
    </div>
  );
}

/** What to do on the phone, where that is more than to tap an option. */
function HowTo({ question }: { question: Question }) {
  const words = howTo(question);
  if (words.length === 0) return null;
  return (
    <p class="how-to" data-fit>
      {words.join(" ")}
    </p>
  );
}

function howTo({ kind, unit, wager }: Question): string[] {
  const words: string[] = [];
  if (kind === "multiple") words.push("Choose all that are right.");
  if (kind === "ordering") words.push("Put them in order.");
  if (kind === "text") words.push("Type your answer on your phone.");
  if (kind === "number") words.push(unit ? `Type a number on your phone, in ${unit}.` : "Type a number on your phone.");
  if (wager) words.push("Stake as many of your points as you dare.");
  return words;
}

function Open({ snapshot, live, now }: Omit<AskedProps, "playing">) {
  const { opensAt = 0, closesAt = 0, pausedAt } = snapshot;
  const left = useTimeLeft(snapshot, now);
  const paused = pausedAt !== undefined;
  if (left === 0 && !paused) return <Result snapshot={snapshot} live={live} />;
  return (
    <>
      <Countdown left={left} whole={closesAt - opensAt} paused={paused} />
      {paused && <p class="paused">The clock is paused</p>}
      <Count live={live} />
    </>
  );
}

function Count({ live }: { live: ScreenLive | undefined }) {
  if (!live) return null;
  return (
    <p class="answered">
      <strong>{live.answered}</strong> of {live.joined} answered
    </p>
  );
}

function Result({ snapshot, live }: { snapshot: ScreenSnapshot; live: ScreenLive | undefined }) {
  const { phase, question, round, voided, answered } = snapshot;
  if (question?.kind === "slide") return null;
  if (voided) return <p class="times-up">This question doesn’t count</p>;
  if (phase === "revealed" && answered !== undefined) return <p class="times-up">{resultWords(snapshot)}</p>;
  return (
    <>
      <p class="times-up">
        Time’s up {round?.pacing === "round" && <small>The answers come at the round’s end</small>}
      </p>
      <Count live={live} />
    </>
  );
}

function resultWords({ question, right = 0, answered = 0 }: ScreenSnapshot): string {
  if (answered === 0) return "Nobody answered this one";
  if (question?.kind === "poll") return plural(answered, "answer", "answers");
  if (right === 0) return "Nobody got it right";
  return `${right === answered ? "Everybody who answered" : `${right} of ${answered}`} got it right`;
}
