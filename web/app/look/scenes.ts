import { t } from "../lib/language";
import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";

export type Scene = "lobby" | "question" | "standings" | "podium" | "break";

/** When it is in the preview: the clock stands still. */
export const now = 1_000_000_000_000;

export const live: ScreenLive = { joined: 6, connected: 6, answered: 4, names: [t("The Quizzards"), t("Table 4"), t("Owls"), t("The Regulars"), t("Snug Bar"), t("Ada & friends")] };

const round = { number: 2, title: t("Food and drink"), introduction: t("Eight questions on what is in the glass and on the plate."), questions: 8 };

/** What the big screen would show of such a moment. */
export function sceneOf(scene: Scene): ScreenSnapshot {
  const common = {
    epoch: "preview",
    version: Object.keys(phases).indexOf(scene),
    role: "screen" as const,
    title: t("Tuesday quiz"),
    rounds: 4,
    joinCode: "DRWQ42",
    joinURL: `${location.origin}/j/DRWQ42`,
    doorsLocked: false,
    phase: phases[scene],
  };
  switch (scene) {
    case "lobby":
      return common;
    case "break":
      return { ...common, round };
    case "question":
      return {
        ...common,
        round,
        question: { id: "2.1", number: 1, kind: "single", text: t("Which grain is most whisky made from?"), options: [t("Barley"), t("Oats"), t("Rice"), t("Buckwheat")], points: 1, seconds: 30 },
        opensAt: now,
        closesAt: now + 30_000,
      };
    default:
      return { ...common, round, standings, participants: standings.length };
  }
}

const phases = { lobby: "lobby", question: "open", standings: "standings", podium: "finished", break: "round" } as const;

const standings = [
  { name: t("The Quizzards"), points: 17.5, rank: 1, was: 2 },
  { name: t("Owls"), points: 16, rank: 2, was: 1 },
  { name: t("Table 4"), points: 14, rank: 3, was: 3 },
  { name: t("The Regulars"), points: 11.5, rank: 4, was: 6 },
  { name: t("Ada & friends"), points: 9, rank: 5, was: 4 },
  { name: t("Snug Bar"), points: 7, rank: 6, was: 5 },
];
