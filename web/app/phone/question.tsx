import { Announcement } from "../lib/announce";
import { Countdown, useCountdown } from "../lib/countdown";
import type { Outbox } from "../lib/outbox";
import type { Personal, Question, Snapshot } from "../lib/protocol";
import { useView } from "../lib/use-view";
import { type AnswerState, answerState } from "./answer";
import { AnswerLine, answerWords } from "./answer-line";
import { Options } from "./options";
import { SceneHeading } from "./scene-heading";
import { TypedAnswer } from "./typed-answer";
import { Verdict, verdictWords } from "./verdict";

interface QuestionSceneProps {
  shared: Snapshot;
  personal: Personal;
  outbox: Outbox;
  now: () => number;
}

/** A question from the launch to the reveal. Everything keeps its place when it closes: nothing moves under a finger. */
export function QuestionScene({ shared, personal, outbox, now }: QuestionSceneProps) {
  const { question, phase, round, opensAt = 0, closesAt = 0 } = shared;
  const answers = useView(outbox);
  const untilOpen = useCountdown(opensAt, now);
  const left = useCountdown(closesAt, now);
  if (!question) return null;
  const place = round && `Question ${question.number} of ${round.questions}`;
  if (phase === "open" && untilOpen > 0) return <GetReady place={place} />;

  const state = answerState(question.id, personal, answers);
  const accepting = phase === "open" && left > 0;
  const revealed = phase === "revealed";
  return (
    <main class="scene question">
      <div class="question-top">
        <p class="eyebrow">{place}</p>
        {phase === "open" && <Countdown left={left} whole={closesAt - opensAt} />}
      </div>
      {revealed && <Verdict shared={shared} personal={personal} state={state} />}
      <div class="asked" data-long={question.text.length > 110 ? "" : undefined}>
        <SceneHeading of={question.id}>{question.text}</SceneHeading>
      </div>
      <div class="answering" data-kind={question.kind}>
        <Answering question={question} state={state} accepting={accepting} shared={shared} outbox={outbox} />
        {!revealed && <AnswerLine state={state} accepting={accepting} question={question} />}
      </div>
      <Announcement text={revealed ? verdictWords(shared, personal, state).heading : answerWords(state, accepting, question)} />
    </main>
  );
}

function GetReady({ place }: { place: string | undefined }) {
  return (
    <main class="scene round">
      <p class="eyebrow">{place}</p>
      <SceneHeading of="get ready">Get ready…</SceneHeading>
    </main>
  );
}

interface AnsweringProps {
  question: Question;
  state: AnswerState;
  accepting: boolean;
  shared: Snapshot;
  outbox: Outbox;
}

function Answering({ question, state, accepting, shared, outbox }: AnsweringProps) {
  const given = state.is === "sending" || state.is === "locked" ? state.given : undefined;
  if (question.kind === "text") {
    return (
      <TypedAnswer
        question={question.id}
        given={given && "text" in given ? given.text : undefined}
        editable={accepting && state.is === "open"}
        right={shared.answer?.accepted?.[0]}
        onSend={(text) => outbox.answer(question.id, { text })}
      />
    );
  }
  return (
    <Options
      options={question.options ?? []}
      chosen={given && "choices" in given ? given.choices : []}
      right={shared.answer?.correct}
      sending={state.is === "sending"}
      choosable={accepting && state.is === "open"}
      onChoose={(index) => outbox.answer(question.id, { choices: [index] })}
    />
  );
}
