import { useEffect, useMemo } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { Transport } from "../lib/transport";
import { useView } from "../lib/use-view";
import { useOpeningBuzz, useWakeLock } from "./device";
import { Ended } from "./ended";
import { Lobby } from "./lobby";
import { PlayTop } from "./play-top";
import { QuestionScene } from "./question";
import { RoundIntroduction } from "./round";
import { Finished, StandingsScene } from "./standings";

/** Connects a phone to its session: what it hears, and the answers it sends. */
function connect(session: string) {
  const path = `/api/v1/sessions/${encodeURIComponent(session)}`;
  const transport: Transport<Snapshot, Personal> = new Transport({
    path: `${path}/participant`,
    part: "personal",
    onOutcome: (outcome) => outbox.take(outcome),
  });
  const outbox = new Outbox(session, `${path}/answers`, {
    send: (message) => transport.send(message),
    refresh: () => transport.refresh(),
    personal: () => transport.view.part,
  });
  transport.subscribe(() => (transport.view.ending ? outbox.stop() : outbox.notice()));
  return { transport, outbox };
}

export function Play({ session }: { session: string }) {
  const { transport, outbox } = useMemo(() => connect(session), [session]);
  const { shared, part: personal, connection, ending } = useView(transport);
  useWakeLock(!ending && shared?.phase !== "finished");
  useOpeningBuzz(shared, transport.clock.now);
  useEffect(() => {
    if (shared) document.title = shared.title;
  }, [shared?.title]);

  if (ending) return <Ended session={session} ending={ending} played={personal !== undefined} />;
  if (!shared || !personal) return <Loading struggling={connection === "struggling"} />;
  return (
    <div class="page play" data-phase={shared.phase}>
      <PlayTop personal={personal} phase={shared.phase} connection={connection} />
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

/** Shown only when the first news take longer than a moment. */
function Loading({ struggling }: { struggling: boolean }) {
  const text = struggling ? "The WiFi is struggling. Still trying to reach the quiz…" : "Getting the quiz…";
  return (
    <main class="page loading">
      <p>{text}</p>
      <Announcement text={struggling ? text : ""} />
    </main>
  );
}
