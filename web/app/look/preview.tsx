import { useState } from "preact/hooks";
import { Choice } from "../editor/choice";
import { t } from "../lib/language";
import { Miniature } from "../lib/miniature";
import type { Look } from "../lib/protocol";
import { Stage } from "../screen/stage";
import { live, now, type Scene, sceneOf } from "./scenes";

const scenes: Record<Scene, string> = { lobby: t("Lobby"), question: t("Question"), standings: t("Standings"), podium: t("Podium"), break: t("Break") };

/** The big screen as it will be. */
export function Preview({ look, style }: { look: Look; style: string }) {
  const [scene, setScene] = useState<Scene>("lobby");
  const picture = scene === "break" ? 0 : undefined;
  return (
    <aside class="look-preview" aria-label={t("Preview")}>
      <Choice name="scene" legend={t("Preview of")} value={scene} options={scenes} choose={setScene} />
      <Miniature width={1280} height={720} style={style}>
        <Stage snapshot={sceneOf(scene)} live={live} now={() => now} look={look} picture={picture} />
      </Miniature>
      {scene === "break" && look.pictures.length === 0 && <p class="field-hint">{t("Without pictures of yours, the round’s introduction stays on.")}</p>}
    </aside>
  );
}
