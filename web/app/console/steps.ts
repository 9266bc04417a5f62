import type { Command, HostSnapshot, Phase, StepCommand } from "../lib/protocol";

/** A command that takes no more than a key. */
export type KeyCommand = StepCommand | "lockDoors" | "unlockDoors";

/** The keys of the commands beside the next step's, which is Space. */
const keys: Partial<Record<KeyCommand, string>> = {
  next: "N",
  showStandings: "S",
  lockDoors: "L",
  unlockDoors: "L",
  finish: "F",
};

export function keyOf(command: KeyCommand): string | undefined {
  return keys[command];
}

/** The command that a key stands for now, if any. */
export function commandFor(key: string, commands: readonly Command[]): KeyCommand | undefined {
  const pressed = key.toUpperCase();
  return (Object.keys(keys) as KeyCommand[]).find((command) => keys[command] === pressed && commands.includes(command));
}

/** What a command is called where there is little room. */
export function shortLabel(command: KeyCommand): string {
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
      return "Finish";
    case "lockDoors":
      return "Lock the doors";
    case "unlockDoors":
      return "Unlock the doors";
  }
}

/** What the button for the next obvious step says. */
export function stepLabel({ nextRound, upNext }: HostSnapshot, command: StepCommand): string {
  switch (command) {
    case "next":
      return nextRound ? `Start round ${nextRound.number}` : "Next round";
    case "launch":
      return upNext ? `Launch question ${upNext.number}` : "Launch the question";
    case "close":
      return "Close the question";
    case "reveal":
      return "Reveal the answer";
    case "showStandings":
      return "Show the standings";
    case "finish":
      return "Finish the evening";
  }
}

/** What a step does to the room. */
export function stepMeaning(command: StepCommand): string {
  switch (command) {
    case "next":
      return "The television introduces the round.";
    case "launch":
      return "It appears on every phone and the clock starts.";
    case "close":
      return "It also closes by itself when the clock runs out.";
    case "reveal":
      return "Everybody sees the right answer and their points.";
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
