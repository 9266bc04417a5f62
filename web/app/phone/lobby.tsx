import { Check } from "../lib/icons";
import { OptionMark } from "../lib/option-mark";
import type { Personal, Snapshot } from "../lib/protocol";
import { SceneHeading } from "./scene-heading";

export function Lobby({ shared, personal }: { shared: Snapshot; personal: Personal }) {
  return (
    <main class="scene lobby">
      <p class="eyebrow">
        <bdi>{shared.title}</bdi>
      </p>
      <div class="lobby-in">
        <p class="badge">
          <Check />
          You’re in
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
      <p class="next">The first round starts soon and comes up here by itself. Keep your phone at hand.</p>
    </main>
  );
}
