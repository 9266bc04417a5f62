import { useMemo, useRef, useState } from "preact/hooks";
import { Outbox } from "../lib/outbox";
import type { Personal, ScreenSnapshot } from "../lib/protocol";
import { Lobby } from "../phone/lobby";
import { PlayTop } from "../phone/play-top";
import { QuestionScene } from "../phone/question";
import { RoundIntroduction } from "../phone/round";
import { Stage } from "../screen/stage";
import { Choice } from "./choice";
import type { Draft, Place } from "./draft";
import { Miniature } from "./miniature";
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
    <aside class="preview-pane" aria-label="Preview">
      <div class="preview-choice">
        <Choice name="preview-on" legend="Preview on" value={on} options={{ phone: "Phone", screen: "Big screen" }} choose={setOn} />
        {asked && <Choice name="preview-moment" legend="Preview of" value={moment} options={{ asked: "Asked", answer: "Answer" }} choose={setMoment} />}
      </div>
      {on === "phone" ? (
        <Miniature key="phone" width={360} height={640} style={styles.phone} round>
          <PhonePreview snapshot={snapshot} personal={previewPersonal(snapshot)} />
        </Miniature>
      ) : (
        <Miniature key="screen" width={1280} height={720} style={styles.screen}>
          <Stage snapshot={snapshot} live={{ joined: 18, connected: 18, answered: 11, names: ["The Quizzards", "Table 4"] }} now={now} />
        </Miniature>
      )}
    </aside>
  );
}

function PhonePreview({ snapshot, personal }: { snapshot: ScreenSnapshot; personal: Personal }) {
  // Nobody taps in a preview, so nothing is ever sent.
  const outbox = useMemo(() => new Outbox("preview", "", { send: () => false, refresh: async () => false, personal: () => undefined }), []);
  return (
    <div class="page play" data-phase={snapshot.phase}>
      <PlayTop personal={personal} phase={snapshot.phase} connection="socket" />
      {snapshot.phase === "lobby" && <Lobby session="preview" shared={snapshot} personal={personal} now={now} />}
      {snapshot.phase === "round" && <RoundIntroduction session="preview" shared={snapshot} personal={personal} />}
      {snapshot.question && <QuestionScene key={snapshot.question.id} shared={snapshot} personal={personal} outbox={outbox} now={now} />}
    </div>
  );
}
