import { t } from "../lib/language";
import type { Outbox } from "../lib/outbox";
import type { Given, Personal, Question, Snapshot } from "../lib/protocol";
import { useOptionsLanguage } from "../lib/quiz-language";
import { pointsLong } from "../lib/words";
import { numericWords, optionsOf } from "../lib/rules";
import { type AnswerState, mayAnswer } from "./answer";
import { oneTap } from "./answer-line";
import { useDraft } from "./draft";
import { Options } from "./options";
import { OrderAnswer, Ordered, OrderTools } from "./order-answer";
import { isComplete } from "./ordering";
import { TypedAnswer, TypedRevealed } from "./typed-answer";
import { mostToStake, Wager } from "./wager";

interface AnsweringProps {
  question: Question;
  shared: Snapshot;
  personal: Personal;
  state: AnswerState;
  accepting: boolean;
  outbox: Outbox;
}

/** What a question is answered with, and from the reveal on what was right. */
export function Answering({ question, shared, personal, state, accepting, outbox }: AnsweringProps) {
  const draft = useDraft(question.id);
  const language = useOptionsLanguage(question);
  const given = state.is === "sending" || state.is === "locked" ? state.given : undefined;
  const choices = given && "choices" in given ? given.choices : undefined;
  const text = given && "text" in given ? given.text : undefined;
  const { answer, phase } = shared;
  const revealed = phase === "revealed";
  const editable = accepting && state.is === "open" && !shared.voided;
  const kept = !revealed && mayAnswer(personal); // the room of what there is no more to do, so that options stay where they are
  const { points, staked = 0 } = personal;
  const most = mostToStake(points - staked);
  const stake = Math.min(draft.value.wager ?? 0, most);
  const send = (given: Given) => {
    draft.forget();
    outbox.answer(question.id, question.wager ? { ...given, wager: stake } : given);
  };
  const wager = question.wager && editable && <Wager most={most} staked={staked} stake={stake} onChange={(wager) => draft.change({ wager })} />;
  const lockIn = question.wager && most > 0 ? t("Lock in, staking {points}", { points: pointsLong(stake) }) : t("Lock in");
  const locking = (ready: boolean, choices: number[]) =>
    (editable || kept) && (
      <button
        type="button"
        class="button button-primary button-large"
        data-kept={editable ? undefined : ""}
        aria-disabled={!ready}
        onClick={() => ready && send({ choices })}
      >
        {lockIn}
      </button>
    );

  switch (question.kind) {
    case "text":
    case "number": {
      const { right = "", leeway } = answer?.numeric ? numericWords(answer.numeric) : { right: answer?.accepted?.[0], leeway: undefined };
      if (revealed && answer) return <TypedRevealed right={right} leeway={leeway} given={text} unit={question.unit} />;
      return (
        <TypedAnswer
          number={question.kind === "number"}
          unit={question.unit}
          text={text ?? draft.value.text ?? ""}
          editable={editable}
          refused={editable && state.problem !== undefined}
          label={question.wager ? lockIn : t("Send answer")}
          onType={(text) => draft.change({ text })}
          onSend={(text) => send({ text })}
        >
          {wager}
        </TypedAnswer>
      );
    }
    case "ordering": {
      const options = question.options ?? [];
      const placed = draft.value.choices ?? [];
      return (
        <>
          {wager}
          {editable ? (
            <OrderAnswer options={options} placed={placed} onChange={(choices) => draft.change({ choices })} />
          ) : (
            <Ordered options={options} given={choices} right={revealed ? answer?.correct : undefined} />
          )}
          {!editable && kept && <OrderTools complete={choices !== undefined} />}
          {locking(isComplete(placed, options.length), placed)}
        </>
      );
    }
    default: {
      const picked = draft.value.choices ?? [];
      const tap = (option: number) => {
        if (oneTap(question)) send({ choices: [option] });
        else if (question.kind !== "multiple") draft.change({ choices: [option] });
        else draft.change({ choices: picked.includes(option) ? picked.filter((other) => other !== option) : [...picked, option].sort() });
      };
      return (
        <>
          {wager}
          <Options
            options={optionsOf(question)}
            language={language}
            several={question.kind === "multiple"}
            chosen={choices ?? (editable ? picked : [])}
            right={revealed && question.kind !== "poll" ? answer?.correct : undefined}
            votes={revealed && question.kind === "poll" ? shared.distribution : undefined}
            sending={state.is === "sending"}
            choosable={editable}
            onChoose={tap}
          />
          {!oneTap(question) && locking(picked.length > 0, picked)}
        </>
      );
    }
  }
}
