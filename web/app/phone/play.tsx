import { useEffect, useMemo, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import type { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { useView } from "../lib/use-view";
import { connect } from "./connect";
import { useOpeningBuzz, useWakeLock } from "./device";
import { Ended } from "./ended";
import { forgetLastState } from "./last-state";
import { Lobby } from "./lobby";
import { PlayTop } from "./play-top";
import { QuestionScene } from "./question";
import { RoundIntroduction } from "./round";
import { dropShell, keepShell } from "./shell";
import { Finished, StandingsScene } from "./standings";

export function Play({ session }: { session: string }) {
  const { transport, outbox, last } = useMemo(() => connect(session), [session]);
  const view = useView(transport);
  const { connection, ending } = view;
  const fresh = view.shared !== undefined && view.part !== undefined;
  const waited = useWait();
  const { shared, personal } = fresh ? { shared: view.shared, personal: view.part } : (last ?? {});
  useWakeLock(!ending && shared?.phase !== "finished");
  useOpeningBuzz(view.shared, transport.clock.now);
  useEffect(() => {
    if (fresh) keepShell();
  }, [fresh]);
  useEffect(() => {
    if (!ending) return;
    forgetLastState();
    dropShell();
  }, [ending]);
  useEffect(() => {
    if (shared) document.title = shared.title;
  }, [shared?.title]);

  if (ending) return <Ended session={session} ending={ending} played={view.part !== undefined} />;
  if (!fresh && !waited) return null;
  if (!shared || !personal) return <Loading struggling={connection === "struggling"} />;
  return (
    <div class="page play" data-phase={shared.phase}>
      <PlayTop personal={personal} phase={shared.phase} connection={connection} old={!fresh} />
      <Scene session={session} shared={shared} personal={personal} outbox={outbox} now={transport.clock.now} />
    </div>
  );
}

interface SceneProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
  outbox: Outbox;
  now: () => number;
}

function Scene({ session, shared, personal, outbox, now }: SceneProps) {
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
      return <QuestionScene key={shared.question?.id} shared={shared} personal={personal} outbox={outbox} now={now} />;
  }
}

/** Whether the page has been here for a moment. Nothing is shown before that but news, so that nothing flashes when they come at once. */
function useWait(): boolean {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return waited;
}

function Loading({ struggling }: { struggling: boolean }) {
  const text = struggling ? "The WiFi is struggling. Still trying to reach the quiz…" : "Getting the quiz…";
  return (
    <main class="page loading">
      <p>{text}</p>
      <Announcement text={struggling ? text : ""} />
    </main>
  );
}
