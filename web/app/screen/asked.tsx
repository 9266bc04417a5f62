import { useContext, useRef } from "preact/hooks";
import { Countdown, useTimeLeft } from "../lib/countdown";
import { rich, t } from "../lib/language";
import type { Question, ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { answers, grouped } from "../lib/words";
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
  /** It has not opened: everything is loaded, and nothing plays. */
  waiting: boolean;
}

/** A question from its launch to its reveal. Nothing moves between open, closed and revealed but what is new. */
export function Asked({ snapshot, live, now, playing, waiting }: AskedProps) {
  const box = useRef<HTMLDivElement>(null);
  const { question, phase, pausedAt } = snapshot;
  const language = useContext(QuizLanguage);
  useFit(box, { min: 0.25, max: 1.7 }, `${snapshot.version} ${phase}`, question?.options ? [2, 1] : undefined);
  if (!question) return null;
  const { media } = question;
  const play = { playing, waiting, paused: pausedAt !== undefined, fresh: phase === "open" || question.kind === "slide" };
  return (
    <div class="asked" data-kind={question.kind}>
      <div class="asked-body" data-media={media?.kind}>
        <div class="fit" ref={box}>
          {/* The question's own direction is its options' too. */}
          <div dir="auto">
            {media?.kind === "audio" && <Sound key={question.id} media={media} {...play} />}
            <h1 class="question" lang={language} data-fit>
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
      <bdi>{words.join(" ")}</bdi>
    </p>
  );
}

function howTo({ kind, unit, wager }: Question): string[] {
  const words: string[] = [];
  if (kind === "multiple") words.push(t("Choose all that are right."));
  if (kind === "ordering") words.push(t("Put them in order."));
  if (kind === "text") words.push(t("Type your answer on your phone."));
  if (kind === "number") words.push(unit ? t("Type a number on your phone, in {unit}.", { unit }) : t("Type a number on your phone."));
  if (wager) words.push(t("Stake as many of your points as you dare."));
  return words;
}

function Open({ snapshot, live, now }: Omit<AskedProps, "playing" | "waiting">) {
  const { opensAt = 0, closesAt = 0, pausedAt, voided } = snapshot;
  const left = useTimeLeft(snapshot, now);
  const paused = pausedAt !== undefined;
  if (voided || (left === 0 && !paused)) return <Result snapshot={snapshot} live={live} />;
  return (
    <>
      <Countdown left={left} whole={closesAt - opensAt} paused={paused} />
      {paused && <p class="paused">{t("The clock is paused")}</p>}
      <Count live={live} />
    </>
  );
}

function Count({ live }: { live: ScreenLive | undefined }) {
  if (!live) return null;
  return <p class="answered">{rich("{answered} of {all} answered", { answered: <strong>{grouped(live.answered)}</strong>, all: live.joined })}</p>;
}

function Result({ snapshot, live }: { snapshot: ScreenSnapshot; live: ScreenLive | undefined }) {
  const { phase, question, round, voided, answered } = snapshot;
  if (question?.kind === "slide") return null;
  if (voided) return <p class="times-up">{t("This question doesn’t count")}</p>;
  if (phase === "revealed" && answered !== undefined) return <p class="times-up">{resultWords(snapshot)}</p>;
  return (
    <>
      <p class="times-up">
        {t("Time’s up")} {round?.pacing === "round" && <small>{t("The answers come at the round’s end")}</small>}
      </p>
      <Count live={live} />
    </>
  );
}

function resultWords({ question, right = 0, answered = 0 }: ScreenSnapshot): string {
  if (answered === 0) return t("Nobody answered this one");
  if (question?.kind === "poll") return answers(answered);
  if (right === 0) return t("Nobody got it right");
  return right === answered ? t("Everybody who answered got it right") : t({ one: "{n} of {all} got it right", other: "{n} of {all} got it right" }, { n: right, all: answered });
}
