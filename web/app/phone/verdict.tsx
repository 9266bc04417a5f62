import { Check, Cross, Part } from "../lib/icons";
import { t } from "../lib/language";
import type { Personal, Snapshot } from "../lib/protocol";
import { answers, points, pointsLong } from "../lib/words";
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
  if (voided) return { kind: "none", heading: t("This question doesn’t count"), text: t("The host took it out, for everybody.") };
  const room = answered === 0 ? t("Nobody answered this one.") : t({ one: "{right} of {n} answer right", other: "{right} of {n} answers right" }, { n: answered, right });
  const mine = personal.answer?.question === question?.id ? personal.answer : undefined;
  const missing = state.is === "late" ? t("That came too late") : t("No answer from you");
  const given = mine !== undefined || state.is === "locked" || state.is === "sending";
  if (question?.kind === "poll") {
    return { kind: "none", heading: given ? t("Here’s what everybody said") : missing, text: answers(answered) };
  }
  if (mine?.verdict === undefined) return { kind: "none", heading: given ? t("Here’s the answer") : missing, text: room };
  if (question?.tieBreak) {
    return { kind: mine.verdict, heading: mine.verdict === "right" ? t("Right!") : t("Not quite"), text: t("It only decides between equal points.") };
  }
  const text = mine.points && jokerCounts(shared, personal) ? `${t("Doubled by your joker.")} ${room}` : room;
  return { kind: mine.verdict, heading: earnedWords(mine.verdict, mine.points ?? 0, mine.stake), text };
}

function earnedWords(verdict: "right" | "part" | "wrong", earned: number, stake: number | undefined): string {
  if (verdict === "wrong") {
    if (earned >= 0) return t("Not this time");
    return stake
      ? t("Not this time: your stake is lost, {points}", { points: points(earned) })
      : t("Not this time: {points}", { points: pointsLong(earned) });
  }
  const won = { points: pointsLong(earned) };
  if (verdict === "right") return earned === 0 ? t("Right!") : stake ? t("Right! Your stake wins {points}", won) : t("Right! {points} for you", won);
  return earned === 0 ? t("Partly right") : stake ? t("Partly right: Your stake wins {points}", won) : t("Partly right: {points} for you", won);
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
