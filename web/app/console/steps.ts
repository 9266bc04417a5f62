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
      return "Next round";
    case "launch":
      return "Launch";
    case "close":
      return "Close";
    case "reveal":
      return "Reveal";
    case "showStandings":
      return "Standings";
    case "finish":
      return snapshot.upNext ? "End early" : "Finish";
    case "back":
      return backLabel(snapshot);
    case "pause":
      return "Pause";
    case "resume":
      return "Go on";
    case "lockDoors":
      return "Lock the doors";
    case "unlockDoors":
      return "Unlock the doors";
  }
}

/** What going back one step does now. */
export function backLabel({ phase, round, question }: HostSnapshot): string {
  switch (phase) {
    case "revealed":
      return round?.pacing === "round" && (question?.number ?? 1) > 1 ? "The answer before" : "Hide the answer";
    case "standings":
      return "Hide the standings";
    case "round":
      return (round?.number ?? 1) > 1 ? "Back to the last round" : "Back to the lobby";
    case "finished":
      return "Back into the quiz";
    default:
      return "Back";
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
      return nextRound ? `Start round ${nextRound.number}` : "Next round";
    case "launch":
      if (upNext?.kind === "slide") return "Show the slide";
      return upNext ? `Launch question ${upNext.number}` : "Launch the question";
    case "close":
      return "Close the question";
    case "reveal":
      if (round?.pacing !== "round") return "Reveal the answer";
      return phase === "closed" ? "Reveal the answers" : "Next answer";
    case "showStandings":
      return "Show the standings";
    case "finish":
      return "Finish the evening";
  }
}

/** What a step does to the room. */
export function stepMeaning(snapshot: HostSnapshot, command: StepCommand): string {
  switch (command) {
    case "next":
      return "The television introduces the round.";
    case "launch":
      return snapshot.upNext?.kind === "slide" ? "Everybody reads it; there is nothing to answer." : "It appears on every phone and the clock starts.";
    case "close":
      return snapshot.pausedAt === undefined ? "It also closes by itself when the clock runs out." : "The clock is paused: it does not close by itself.";
    case "reveal":
      return answersToCome(snapshot) ? "One after the other, as on paper." : "Everybody sees the right answer and their points.";
    case "showStandings":
      return "The television and the phones show who leads.";
    case "finish":
      return "The podium and the final standings are shown.";
  }
}

/** What is on the television, in a few words. */
export function phaseName(phase: Phase): string {
  switch (phase) {
    case "lobby":
      return "Lobby";
    case "round":
      return "Round introduction";
    case "open":
      return "Question open";
    case "closed":
      return "Question closed";
    case "revealed":
      return "Answer revealed";
    case "standings":
      return "Standings";
    case "finished":
      return "Finished";
  }
}
