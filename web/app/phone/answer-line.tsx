import { Clock, Lock } from "../lib/icons";
import type { Question } from "../lib/protocol";
import { pointsLong } from "../lib/words";
import type { AnswerState } from "./answer";

/** What the line below the answer says. */
export function answerWords(state: AnswerState, accepting: boolean, question: Question): string {
  switch (state.is) {
    case "sending":
      return "Sending…";
    case "locked":
      if (state.elsewhere) return "Locked in. Your first answer is the one that counts.";
      return accepting ? "Locked in" : "Locked in. Let’s see who’s right…";
    case "late":
      return "That came just too late. The next one’s yours.";
    case "open":
      if (!accepting) return "Time’s up. No answer from you this time.";
      return state.problem ?? (question.kind === "text" ? "" : "One tap locks it in. ") + `Worth ${pointsLong(question.points)}.`;
  }
}

/** Where the answer is, in a line that always has its place. */
export function AnswerLine(props: { state: AnswerState; accepting: boolean; question: Question }) {
  const { state, accepting, question } = props;
  return (
    <p class="answer-line" data-state={state.is}>
      <span>
        {state.is === "locked" && <Lock />}
        {(state.is === "late" || (state.is === "open" && !accepting)) && <Clock />}
        {answerWords(state, accepting, question)}
      </span>
    </p>
  );
}
