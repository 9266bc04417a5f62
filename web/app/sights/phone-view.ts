import { t } from "../lib/language";
import type { HostSnapshot, Personal, Snapshot } from "../lib/protocol";
import { pick, screenView } from "../screen/view";

/** What every phone shows while the host sees this. */
export function phoneView(host: HostSnapshot): Snapshot {
  const { joinCode, joinURL, doorsLocked, popular, ...shared } = screenView(host);
  return { ...shared, role: "participant", ...pick(host, ["jokerRounds"]) };
}

/** Whose phone it is: nobody's, who has not answered. */
export const somebody: Personal = { participant: "", name: t("A player"), points: 0 };
