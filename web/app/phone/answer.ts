import { t } from "../lib/language";
import type { Answers } from "../lib/outbox";
import type { Given, Personal } from "../lib/protocol";

/**
 * Where this phone's answer to a question is: not given yet (problem says why the last try was refused); on its way; stored by the
 * server (elsewhere if from another tab or phone); or it came too late. Or it is the captain's to give.
 */
export type AnswerState =
  | { is: "open"; problem?: string }
  | { is: "sending"; given: Given }
  | { is: "locked"; given: Given; elsewhere: boolean }
  | { is: "late" }
  | { is: "captain" };

/** What the server said last decides; what is on its way comes after it. */
export function answerState(question: string, personal: Personal, { pending, settled }: Answers): AnswerState {
  const outcome = settled[question];
  if (personal.answer?.question === question) {
    return { is: "locked", given: personal.answer.given, elsewhere: outcome?.outcome === "already-answered" };
  }
  if (!mayAnswer(personal) || outcome?.outcome === "not-captain") return { is: "captain" };
  const onItsWay = pending.find((request) => request.question === question);
  if (onItsWay) return { is: "sending", given: onItsWay.given };
  switch (outcome?.outcome) {
    case "accepted":
      return { is: "locked", given: outcome.sent, elsewhere: false };
    case "already-answered":
      return { is: "locked", given: outcome.given ?? outcome.sent, elsewhere: true };
    case "too-late":
    case "not-this-question":
      return { is: "late" };
    case "invalid":
      return { is: "open", problem: outcome.detail ?? t("That is no answer to this question. Have another look.") };
    default:
      return { is: "open" };
  }
}

/** The phone's own part as it will be told, where the outcome of its answer was there first. */
export function withOutcome(question: string, personal: Personal, { settled }: Answers): Personal {
  const outcome = settled[question];
  if (personal.answer?.question === question || !outcome || !["accepted", "already-answered"].includes(outcome.outcome)) return personal;
  return { ...personal, answer: { question, id: outcome.id, given: outcome.given ?? outcome.sent } };
}

/** Whether this phone's answers count: in a team with a captain, only the captain's do. */
export function mayAnswer({ team }: Personal): boolean {
  return team === undefined || team.answers === "first" || team.captain;
}
