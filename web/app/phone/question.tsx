import { useContext, useRef } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { Countdown, useTimeLeft } from "../lib/countdown";
import { Star } from "../lib/icons";
import { t } from "../lib/language";
import type { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { weightWords } from "../lib/rules";
import { useSlow } from "../lib/use-slow";
import { useView } from "../lib/use-view";
import { answerState } from "./answer";
import { AnswerLine, answerWords } from "./answer-line";
import { Answering } from "./answering";
import { jokerCounts } from "./joker";
import { PhoneMedia } from "./media";
import { SceneHeading } from "./scene-heading";
import { Verdict, verdictWords } from "./verdict";

interface QuestionSceneProps {
  shared: Snapshot;
  personal: Personal;
  outbox: Outbox;
  now: () => number;
  /** It has not opened: everything is there, and nobody sees or hears of it. */
  waiting: boolean;
}

/** A question from the launch to the reveal. Everything keeps its place when it closes: nothing moves under a finger. */
export function QuestionScene({ shared, personal, outbox, now, waiting }: QuestionSceneProps) {
  const { question, phase, opensAt = 0, closesAt = 0, pausedAt, voided = false } = shared;
  const answers = useView(outbox);
  const left = useTimeLeft(shared, now);
  const clockNews = useClockNews(closesAt, pausedAt);
  const language = useContext(QuizLanguage);
  const state = question && answerState(question.id, personal, answers);
  const slow = useSlow(state?.is === "sending");
  const coming = phase === "revealed" && !(personal.answer?.question === question?.id && personal.answer?.verdict);
  const late = useSlow(coming);
  if (!question || !state) return null;

  const paused = pausedAt !== undefined;
  const accepting = phase === "open" && (left > 0 || paused);
  const revealed = phase === "revealed";
  const answerable = question.kind !== "slide";
  const line = { state, accepting, shared, personal };
  // What is soon said better is not said before.
  const quiet = !answerable || waiting || (state.is === "sending" && !slow) || (coming && !late);
  const news = quiet ? "" : revealed ? verdictWords(shared, personal, state).heading : answerWords(line);
  return (
    <main class={answerable ? "scene question" : "scene question slide"}>
      <div class="question-top">
        <div>
          <p class="eyebrow">{placeWords(shared)}</p>
          <Marks shared={shared} personal={personal} />
        </div>
        {phase === "open" && answerable && !voided && <Countdown left={left} whole={closesAt - opensAt} paused={paused} />}
      </div>
      {revealed && answerable && <Verdict shared={shared} personal={personal} state={state} />}
      <div class="asked" data-long={question.text.length > (question.media ? 50 : 110) ? "" : undefined}>
        <SceneHeading of={waiting ? undefined : question.id} lang={language}>
          {question.text}
        </SceneHeading>
      </div>
      <PhoneMedia media={question.media} />
      {answerable && (
        <div class="answering" data-kind={question.kind}>
          <Answering question={question} shared={shared} personal={personal} state={state} accepting={accepting} outbox={outbox} />
          {!revealed && <AnswerLine {...line} />}
        </div>
      )}
      <Announcement text={news} />
      <Announcement text={clockNews} />
    </main>
  );
}

export function placeWords({ question, round, phase }: Snapshot): string {
  if (!question || !round) return "";
  if (question.tieBreak) return t("Tie-break");
  const place = { number: question.number, all: round.questions };
  return round.pacing === "round" && phase === "revealed" ? t("The answers: question {number} of {all}", place) : t("Question {number} of {all}", place);
}

/** What else there is to know, in a line under the place. */
function Marks({ shared, personal }: { shared: Snapshot; personal: Personal }) {
  const { round, question, phase, pausedAt } = shared;
  if (phase === "open" && pausedAt !== undefined) return <p class="paused">{t("The clock is paused")}</p>;
  if (question?.tieBreak || question?.wager || question?.kind === "poll" || question?.kind === "slide") return null;
  const weight = round?.weight ?? 1;
  const joker = jokerCounts(shared, personal);
  return (
    <p class="marks">
      {joker && (
        <span class="badge joker-badge">
          <Star />
          {t("Joker")}
        </span>
      )}
      {weight > 1 && <span>{weightWords(weight)}</span>}
    </p>
  );
}

/** What the host did to the clock, in words for those who do not see it. */
function useClockNews(closesAt: number, pausedAt: number | undefined): string {
  const before = useRef({ closesAt, pausedAt, news: "" });
  const was = before.current;
  if (was.closesAt !== closesAt || was.pausedAt !== pausedAt) {
    const news = pausedAt !== undefined ? t("The clock is paused") : was.pausedAt !== undefined ? t("The clock goes on") : t("There is more time");
    before.current = { closesAt, pausedAt, news: closesAt < was.closesAt ? "" : news };
  }
  return before.current.news;
}
