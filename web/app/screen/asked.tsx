import { useRef } from "preact/hooks";
import { Countdown, useCountdown } from "../lib/countdown";
import { Check } from "../lib/icons";
import { OptionMark, optionLetter } from "../lib/option-mark";
import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { useFit } from "./fit";

interface AskedProps {
  snapshot: ScreenSnapshot;
  live: ScreenLive | undefined;
  /** The server's time now, in Unix milliseconds. */
  now: () => number;
}

/** A question from its launch to its reveal; it appears when the phones show it, on the server's clock. */
export function Asked(props: AskedProps) {
  const { phase, opensAt = 0 } = props.snapshot;
  const untilOpen = useCountdown(opensAt, props.now);
  return phase === "open" && untilOpen > 0 ? <p class="get-ready">Get ready…</p> : <Shown {...props} />;
}

/** Nothing moves between open, closed and revealed but what is new. */
function Shown({ snapshot, live, now }: AskedProps) {
  const box = useRef<HTMLDivElement>(null);
  const { question, answer, phase } = snapshot;
  useFit(box, { min: 0.4, max: 1.7 }, `${snapshot.version} ${phase}`, question?.options ? [2, 1] : undefined);
  if (!question) return null;
  return (
    <div class="asked">
      <div class="fit" ref={box}>
        {/* The question's own direction is its options' too. */}
        <div dir="auto">
          <h1 class="question" data-fit>
            {question.text}
          </h1>
          {question.options ? <Options snapshot={snapshot} options={question.options} /> : <Typed accepted={answer?.accepted} />}
        </div>
      </div>
      <footer class="stage-foot">
        {phase === "open" ? <Open snapshot={snapshot} live={live} now={now} /> : <Result snapshot={snapshot} live={live} />}
      </footer>
    </div>
  );
}

function Options({ snapshot: { answer, distribution }, options }: { snapshot: ScreenSnapshot; options: string[] }) {
  const most = Math.max(1, ...(distribution ?? []));
  return (
    <ol class="options">
      {options.map((option, i) => {
        const tally = distribution?.[i];
        const verdict = answer && (answer.correct?.includes(i) ? "right" : "wrong");
        return (
          <li key={i} class="option" data-option={i} data-verdict={verdict}>
            {tally !== undefined && <span class="share" style={{ "--share": tally / most }} />}
            <OptionMark index={i} />
            <span class="visually-hidden">{optionLetter(i)}</span>
            <span class="option-text" data-fit>
              <span class="tally">{tally}</span>
              <bdi>{option}</bdi>
            </span>
            {verdict === "right" && <Right />}
          </li>
        );
      })}
    </ol>
  );
}

function Right() {
  return (
    <span class="verdict">
      <Check /> Right
    </span>
  );
}

function Typed({ accepted }: { accepted: string[] | undefined }) {
  if (!accepted) return <p class="typed">Type your answer on your phone.</p>;
  return (
    <p class="typed" data-verdict="right" data-fit>
      <Right /> <bdi>{accepted[0]}</bdi>
    </p>
  );
}

function Open({ snapshot, live, now }: AskedProps) {
  const { opensAt = 0, closesAt = 0 } = snapshot;
  const left = useCountdown(closesAt, now);
  if (left === 0) return <Result snapshot={snapshot} live={live} />;
  return (
    <>
      <Countdown left={left} whole={closesAt - opensAt} />
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

function Result({ snapshot: { phase, right, answered }, live }: { snapshot: ScreenSnapshot; live: ScreenLive | undefined }) {
  if (phase !== "revealed" || right === undefined) {
    return (
      <>
        <p class="times-up">Time’s up</p>
        <Count live={live} />
      </>
    );
  }
  if (!answered) return <p class="times-up">Nobody answered this one</p>;
  return (
    <p class="times-up">
      {right === 0 ? "Nobody" : right === answered ? "Everybody who answered" : `${right} of ${answered}`} got it right
    </p>
  );
}
