import type { HostLive, HostSnapshot, ScreenLive, ScreenSnapshot } from "../lib/protocol";

/** How many standings the big screen shows. */
const shown = 10;

/** What the big screen shows while the host sees this. */
export function screenView(host: HostSnapshot): ScreenSnapshot {
  const { epoch, version, phase, title, rounds, joinCode, joinURL, doorsLocked, standings } = host;
  const revealed = phase === "revealed" || phase === "standings";
  const ranked = phase === "standings" || phase === "finished";
  return {
    ...{ epoch, version, role: "screen", phase, title, rounds, joinCode, joinURL, doorsLocked },
    ...pick(host, ["language", "round", "question", "opensAt", "closesAt", "pausedAt", "voided"]),
    ...(revealed && pick(host, ["answer", "distribution", "right", "answered", "popular"])),
    ...(ranked && { ...pick(host, ["participants"]), standings: (standings ?? []).slice(0, shown) }),
  };
}

/** Some members of the host's snapshot, those of them that are there. */
export function pick<K extends keyof HostSnapshot>(host: HostSnapshot, names: K[]): Pick<HostSnapshot, K> {
  return Object.fromEntries(names.filter((name) => name in host).map((name) => [name, host[name]])) as Pick<HostSnapshot, K>;
}

/** The big screen's live part while the host's is this. */
export function screenLive(host: HostLive): ScreenLive {
  const { joined, connected, answered, participants = [] } = host;
  return { joined, connected, answered, names: participants.map((participant) => participant.name) };
}
