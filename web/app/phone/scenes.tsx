import { t } from "../lib/language";
import { useAhead, useStage } from "../lib/lead";
import type { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import type { Connection } from "../lib/transport";
import { Lobby } from "./lobby";
import { PlayTop } from "./play-top";
import { placeWords, QuestionScene } from "./question";
import { RoundIntroduction } from "./round";
import { SceneHeading } from "./scene-heading";
import { Finished, StandingsScene } from "./standings";

interface ScenesProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
  connection: Connection;
  /** What is shown is from before a reload. */
  old?: boolean;
  outbox: Outbox;
  now: () => number;
}

/** What a phone in the game shows. A question that was launched waits, out of sight, until all phones show it. */
export function Scenes({ session, shared, personal, connection, old = false, outbox, now }: ScenesProps) {
  const stage = useStage({ shared, personal }, useAhead(shared, now));
  const { view: seen, is } = stage[0];
  return (
    <div class="page" data-phase={seen.shared.phase}>
      <PlayTop personal={seen.personal} phase={seen.shared.phase} connection={connection} old={old} />
      {is === "waiting" && <GetReady place={placeWords(shared)} />}
      {stage.map(({ key, view, is }) => (
        <div key={key} class="staged" data-is={is} inert={is !== "shown"}>
          <QuizLanguage.Provider value={view.shared.language}>
            <Scene session={session} {...view} outbox={outbox} now={now} waiting={is === "waiting"} />
          </QuizLanguage.Provider>
        </div>
      ))}
    </div>
  );
}

interface SceneProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
  outbox: Outbox;
  now: () => number;
  waiting: boolean;
}

function Scene({ session, shared, personal, outbox, now, waiting }: SceneProps) {
  switch (shared.phase) {
    case "lobby":
      return <Lobby session={session} shared={shared} personal={personal} now={now} />;
    case "round":
      return <RoundIntroduction session={session} shared={shared} personal={personal} />;
    case "standings":
      return <StandingsScene shared={shared} personal={personal} />;
    case "finished":
      return <Finished shared={shared} personal={personal} />;
    default:
      return <QuestionScene key={shared.question?.id} shared={shared} personal={personal} outbox={outbox} now={now} waiting={waiting} />;
  }
}

/** For who comes in the last moment before a question. */
function GetReady({ place }: { place: string }) {
  return (
    <main class="scene round">
      <p class="eyebrow">{place}</p>
      <SceneHeading of="get ready">{t("Get ready…")}</SceneHeading>
    </main>
  );
}
