import { t } from "../lib/language";
import type { HostSnapshot, Phase, StepCommand } from "../lib/protocol";
import { type Action, keyOf } from "./keys";

/** A command that takes no more than a key. */
export type KeyCommand = StepCommand | "back" | "pause" | "resume" | "lockDoors" | "unlockDoors";

/** What the keys of commands are called, beside the next step's. */
const actions = {
  next: "next",
  showStandings: "standings",
  back: "back",
  pause: "pause",
  resume: "pause",
  lockDoors: "doors",
  unlockDoors: "doors",
  finish: "finish",
} as const satisfies Partial<Record<KeyCommand, Action>>;

/** A command that has a key of its own. */
export type KeyedCommand = keyof typeof actions;

export function keyOfCommand(command: KeyedCommand): string {
  return keyOf(actions[command]);
}

/** The command that an action stands for now, if any. */
export function commandOf(action: Action, { next, commands = [] }: Pick<HostSnapshot, "next" | "commands">): KeyCommand | undefined {
  if (action === "step") return next;
  return (Object.keys(actions) as KeyedCommand[]).find((command) => actions[command] === action && commands.includes(command));
}

/** What a command is called where there is little room. */
export function shortLabel(command: KeyCommand, snapshot: HostSnapshot): string {
  switch (command) {
    case "next":
      return t("Next round");
    case "launch":
      return t("Launch");
    case "close":
      return t("Close");
    case "reveal":
      return t("Reveal");
    case "showStandings":
      return t("Standings");
    case "finish":
      return snapshot.upNext ? t("End early") : t("Finish");
    case "back":
      return backLabel(snapshot);
    case "pause":
      return t("Pause");
    case "resume":
      return t("Go on");
    case "lockDoors":
      return t("Lock the doors");
    case "unlockDoors":
      return t("Unlock the doors");
  }
}

/** What going back one step does now. */
export function backLabel({ phase, round, question }: HostSnapshot): string {
  switch (phase) {
    case "revealed":
      return round?.pacing === "round" && (question?.number ?? 1) > 1 ? t("The answer before") : t("Hide the answer");
    case "standings":
      return t("Hide the standings");
    case "round":
      return (round?.number ?? 1) > 1 ? t("Back to the last round") : t("Back to the lobby");
    case "finished":
      return t("Back into the quiz");
    default:
      return t("Back");
  }
}

/** Whether the answers of a round are shown one after the other, and more of them are to come. */
function answersToCome({ phase, round, question }: HostSnapshot): boolean {
  return round?.pacing === "round" && phase === "revealed" && question !== undefined && question.number < round.questions;
}

/** What the button for the next obvious step says. */
export function stepLabel(snapshot: HostSnapshot, command: StepCommand): string {
  const { nextRound, upNext, round, phase } = snapshot;
  switch (command) {
    case "next":
      return nextRound ? t("Start round {number}", { number: nextRound.number }) : t("Next round");
    case "launch":
      if (upNext?.kind === "slide") return t("Show the slide");
      return upNext ? t("Launch question {number}", { number: upNext.number }) : t("Launch the question");
    case "close":
      return t("Close the question");
    case "reveal":
      if (round?.pacing !== "round") return t("Reveal the answer");
      return phase === "closed" ? t("Reveal the answers") : t("Next answer");
    case "showStandings":
      return t("Show the standings");
    case "finish":
      return t("Finish the evening");
  }
}

/** What a step does to the room. */
export function stepMeaning(snapshot: HostSnapshot, command: StepCommand): string {
  switch (command) {
    case "next":
      return t("The television introduces the round.");
    case "launch":
      return snapshot.upNext?.kind === "slide" ? t("Everybody reads it; there is nothing to answer.") : t("It appears on every phone and the clock starts.");
    case "close":
      return snapshot.pausedAt === undefined ? t("It also closes by itself when the clock runs out.") : t("The clock is paused: it does not close by itself.");
    case "reveal":
      return answersToCome(snapshot) ? t("One after the other, as on paper.") : t("Everybody sees the right answer and their points.");
    case "showStandings":
      return t("The television and the phones show who leads.");
    case "finish":
      return t("The podium and the final standings are shown.");
  }
}

/** What is on the television, in a few words. */
export function phaseName(phase: Phase): string {
  switch (phase) {
    case "lobby":
      return t("Lobby");
    case "round":
      return t("Round introduction");
    case "open":
      return t("Question open");
    case "closed":
      return t("Question closed");
    case "revealed":
      return t("Answer revealed");
    case "standings":
      return t("Standings");
    case "finished":
      return t("Finished");
  }
}
