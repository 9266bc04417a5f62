import { Check, Cross } from "../lib/icons";
import type { Personal, Snapshot } from "../lib/protocol";
import { plural, pointsLong } from "../lib/words";
import type { AnswerState } from "./answer";

interface VerdictWords {
  kind: "right" | "wrong" | "none";
  heading: string;
  text: string;
}

/** How this phone did. Until its own part of the news is here, it says nothing either way. */
export function verdictWords({ question, right = 0, answered = 0 }: Snapshot, personal: Personal, state: AnswerState): VerdictWords {
  const text = answered === 0 ? "Nobody answered this one." : `${right} of ${plural(answered, "answer", "answers")} right`;
  const mine = personal.answer?.question === question?.id ? personal.answer : undefined;
  if (mine?.verdict === undefined) {
    if (state.is === "locked" || state.is === "sending") return { kind: "none", heading: "Here’s the answer", text };
    return { kind: "none", heading: state.is === "late" ? "That came too late" : "No answer from you", text };
  }
  const earned = mine.points ?? 0;
  if (mine.verdict === "right") return { kind: "right", heading: `Right! ${pointsLong(earned)} for you`, text };
  if (mine.verdict === "part") return { kind: "right", heading: `Partly right: ${pointsLong(earned)} for you`, text };
  return { kind: "wrong", heading: "Not this time", text };
}

export function Verdict({ shared, personal, state }: { shared: Snapshot; personal: Personal; state: AnswerState }) {
  const { kind, heading, text } = verdictWords(shared, personal, state);
  return (
    <div class="verdict" data-verdict={kind}>
      {kind === "right" && <Check />}
      {kind === "wrong" && <Cross />}
      <div>
        <p class="verdict-heading">{heading}</p>
        <p class="verdict-text">{text}</p>
      </div>
    </div>
  );
}
