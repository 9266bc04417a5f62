import { Alert, Clock, Lock } from "../lib/icons";
import { t } from "../lib/language";
import type { Given, Personal, Question, Snapshot } from "../lib/protocol";
import { worthWords } from "../lib/rules";
import { pointsLong } from "../lib/words";
import { type AnswerState, mayAnswer } from "./answer";
import { jokerCounts } from "./joker";

interface AnswerLineProps {
  state: AnswerState;
  accepting: boolean;
  shared: Snapshot;
  personal: Personal;
}

/** Whether one tap on an option is the answer: not where there is more to it. */
export function oneTap({ kind, wager }: Question): boolean {
  return (kind === "single" || kind === "trueFalse" || kind === "poll") && !wager;
}

/** What the line below the answer says. */
export function answerWords({ state, accepting, shared, personal }: AnswerLineProps): string {
  const { question, round, voided, phase } = shared;
  if (!question) return "";
  if (voided) return t("The host took this question out. It counts for nobody.");
  switch (state.is) {
    case "sending":
      return t("Sending…");
    case "locked":
      if (phase === "open" && accepting) return lockedWords(state, personal);
      if (round?.pacing === "round") return t("Locked in. The answers come at the round’s end.");
      return question.kind === "poll" ? t("Locked in. Let’s see what the others say…") : t("Locked in. Let’s see who’s right…");
    case "late":
      return t("That came just too late. The next one’s yours.");
    case "captain":
      return accepting ? t("Your captain locks in the answer. Tell them what you think!") : t("Time’s up. Your captain gave no answer.");
    case "open":
      if (!accepting) return t("Time’s up. No answer from you this time.");
      return state.problem ?? `${howTo(question)} ${worthWords(question, round, jokerCounts(shared, personal))}`.trimStart();
  }
}

function howTo(question: Question): string {
  if (question.kind === "multiple") return t("Choose all that are right.");
  return oneTap(question) ? t("One tap locks it in.") : "";
}

function lockedWords({ elsewhere, given }: { elsewhere: boolean; given: Given }, personal: Personal): string {
  if (!mayAnswer(personal)) return t("Locked in by your captain");
  if (elsewhere) return personal.team ? t("Locked in. Your team’s first answer is the one that counts.") : t("Locked in. Your first answer is the one that counts.");
  return given.wager ? t("Locked in, with {points} at stake", { points: pointsLong(given.wager) }) : t("Locked in");
}

/** Where the answer is, in a line that always has its place. */
export function AnswerLine(props: AnswerLineProps) {
  const { state, accepting, shared } = props;
  const problem = state.is === "open" && accepting && !shared.voided && state.problem;
  return (
    <p id="answer-line" class="answer-line" data-state={problem ? "problem" : state.is}>
      <span>
        {problem && <Alert />}
        {state.is === "locked" && <Lock />}
        {(state.is === "late" || (state.is === "open" && !accepting)) && <Clock />}
        {answerWords(props)}
      </span>
    </p>
  );
}
