import { Check } from "../lib/icons";
import { OptionMark } from "../lib/option-mark";
import type { Personal, Snapshot } from "../lib/protocol";
import { JokerChoice } from "./joker";
import { SceneHeading } from "./scene-heading";
import { TeamCard } from "./team";

interface LobbyProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
  now: () => number;
}

export function Lobby({ session, shared, personal, now }: LobbyProps) {
  const team = personal.team;
  return (
    <main class="scene lobby">
      <p class="eyebrow">
        <bdi>{shared.title}</bdi>
      </p>
      <div class="lobby-in">
        <p class="badge">
          <Check />
          {team && !team.captain ? "You’re in, with" : "You’re in"}
        </p>
        <SceneHeading of="lobby">
          <bdi>{personal.name}</bdi>
        </SceneHeading>
        <div class="lobby-marks">
          {[0, 1, 2, 3].map((index) => (
            <OptionMark index={index} />
          ))}
        </div>
      </div>
      <TeamCard session={session} personal={personal} now={now} />
      <JokerChoice session={session} shared={shared} personal={personal} />
      <p class="next">The first round starts soon and comes up here by itself. Keep your phone at hand.</p>
    </main>
  );
}
