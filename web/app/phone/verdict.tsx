import { Check, Cross, Part } from "../lib/icons";
import type { Personal, Snapshot } from "../lib/protocol";
import { plural, points, pointsLong } from "../lib/words";
import type { AnswerState } from "./answer";
import { jokerCounts } from "./joker";

export interface VerdictWords {
  kind: "right" | "part" | "wrong" | "none";
  heading: string;
  text: string;
}

/** How this phone did. Until its own part of the news is here, it says nothing either way. */
export function verdictWords(shared: Snapshot, personal: Personal, state: AnswerState): VerdictWords {
  const { question, voided, right = 0, answered = 0 } = shared;
  if (voided) return { kind: "none", heading: "This question doesn’t count", text: "The host took it out, for everybody." };
  const room = answered === 0 ? "Nobody answered this one." : `${right} of ${plural(answered, "answer", "answers")} right`;
  const mine = personal.answer?.question === question?.id ? personal.answer : undefined;
  const missing = state.is === "late" ? "That came too late" : "No answer from you";
  const given = mine !== undefined || state.is === "locked" || state.is === "sending";
  if (question?.kind === "poll") {
    return { kind: "none", heading: given ? "Here’s what everybody said" : missing, text: plural(answered, "answer", "answers") };
  }
  if (mine?.verdict === undefined) return { kind: "none", heading: given ? "Here’s the answer" : missing, text: room };
  if (question?.tieBreak) {
    return { kind: mine.verdict, heading: mine.verdict === "right" ? "Right!" : "Not quite", text: "It only decides between equal points." };
  }
  const text = mine.points && jokerCounts(shared, personal) ? `Doubled by your joker. ${room}` : room;
  return { kind: mine.verdict, heading: earnedWords(mine.verdict, mine.points ?? 0, mine.stake), text };
}

function earnedWords(verdict: "right" | "part" | "wrong", earned: number, stake: number | undefined): string {
  if (verdict === "wrong") {
    if (earned >= 0) return "Not this time";
    return stake ? `Not this time: your stake is lost, ${points(earned)}` : `Not this time: ${pointsLong(earned)}`;
  }
  const word = verdict === "right" ? "Right!" : "Partly right:";
  if (earned === 0) return word.replace(":", "");
  return stake ? `${word} Your stake wins ${pointsLong(earned)}` : `${word} ${pointsLong(earned)} for you`;
}

export function Verdict({ shared, personal, state }: { shared: Snapshot; personal: Personal; state: AnswerState }) {
  const { kind, heading, text } = verdictWords(shared, personal, state);
  return (
    <div class="verdict" data-verdict={kind}>
      {kind === "right" && <Check />}
      {kind === "part" && <Part />}
      {kind === "wrong" && <Cross />}
      <div>
        <p class="verdict-heading">{heading}</p>
        <p class="verdict-text">{text}</p>
      </div>
    </div>
  );
}
