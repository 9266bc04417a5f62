import { useMemo, useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import { Miniature } from "../lib/miniature";
import { PicturedPhone } from "../phone/pictured";
import { Stage } from "../screen/stage";
import { Choice } from "./choice";
import type { Draft, Place } from "./draft";
import { type Moment, previewNow, previewPersonal, previewSnapshot } from "./preview-scene";

/** The style sheets of the screens that are shown in miniature. */
export interface ScreenStyles {
  phone: string;
  screen: string;
}

interface PreviewProps {
  draft: Draft;
  at: Place;
  styles: ScreenStyles;
}

const now = () => previewNow;

/** What is being written, as the players and the room will see it. */
export function Preview({ draft, at, styles }: PreviewProps) {
  const [on, setOn] = useState<"phone" | "screen">("phone");
  const [moment, setMoment] = useState<Moment>("asked");
  const version = useRef(0);
  const snapshot = useMemo(() => previewSnapshot(draft, at, moment, ++version.current, location.origin), [draft, at, moment]);
  const asked = snapshot.question !== undefined && snapshot.question.kind !== "slide";
  return (
    <aside class="preview-pane" aria-label={t("Preview")}>
      <div class="preview-choice">
        <Choice name="preview-on" legend={t("Preview on")} value={on} options={{ phone: t("Phone"), screen: t("Big screen") }} choose={setOn} />
        {asked && <Choice name="preview-moment" legend={t("Preview of")} value={moment} options={{ asked: t("Asked"), answer: t("Answer") }} choose={setMoment} />}
      </div>
      {on === "phone" ? (
        <Miniature key="phone" width={360} height={640} style={styles.phone} round>
          <PicturedPhone shared={snapshot} personal={previewPersonal(snapshot)} now={now} />
        </Miniature>
      ) : (
        <Miniature key="screen" width={1280} height={720} style={styles.screen}>
          <Stage snapshot={snapshot} live={{ joined: 18, connected: 18, answered: 11, names: [t("The Quizzards"), t("Table 4")] }} now={now} />
        </Miniature>
      )}
    </aside>
  );
}
