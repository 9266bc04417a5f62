import { useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import type { HostLive, HostSnapshot, Participant, Room } from "../lib/protocol";
import type { Connection, Ending, Transport } from "../lib/transport";
import { useView } from "../lib/use-view";
import { Actions } from "./actions";
import { Ahead } from "./ahead";
import { KeyMap } from "./key-map";
import { LetIn } from "./let-in";
import { Now } from "./now";
import { OnTelevision } from "./on-television";
import { Players } from "./players";
import { RoomCard } from "./room";
import { type KeyCommand, phaseName } from "./steps";
import { useDrive } from "./use-drive";
import { useKeys } from "./use-keys";

interface ConsoleProps {
  session: string;
  screenURL: string;
  transport: Transport<HostSnapshot, HostLive>;
}

/** The host's one view: what is on the television, what comes next, who has answered, and the next step. */
export function Console(props: ConsoleProps) {
  const { shared, part, room, connection, ending } = useView(props.transport);
  if (ending) return <Ended ending={ending} />;
  if (!shared) return <p class="starting">{connection === "struggling" ? networkLine(connection) : "Opening the console…"}</p>;
  return <Desk {...props} snapshot={shared} live={part} room={room} connection={connection} />;
}

interface DeskProps extends ConsoleProps {
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  room: Room | undefined;
  connection: Connection;
}

function Desk({ session, screenURL, transport, snapshot, live, room, connection }: DeskProps) {
  const drive = useDrive(session, snapshot, transport);
  const [finishing, setFinishing] = useState(false);
  const [keysShown, showKeys] = useState(false);
  const [guest, setGuest] = useState<{ participant?: Participant }>();
  const take = (command: KeyCommand) => {
    if (command === "finish") setFinishing(true);
    else void drive.run(command);
  };
  const answer = async (finish: boolean) => {
    // What could not be sent yet can be pressed again.
    if (!finish || (await drive.run("finish"))) setFinishing(false);
  };
  const actions = {
    snapshot,
    drive,
    finishing: finishing && snapshot.commands?.includes("finish") === true,
    take,
    answer,
    showKeys: () => showKeys(true),
  };
  useKeys(actions);
  const trouble = drive.problem ?? networkLine(connection);
  return (
    <div class="console">
      <header class="bar">
        <a class="back" href="/host">
          ← Your quizzes
        </a>
        <h1>
          <bdi>{snapshot.title}</bdi>
        </h1>
        <p class="network" data-connection={connection}>
          {connection === "polling" ? "Polling" : connection === "struggling" ? "Offline" : "Live"}
        </p>
      </header>
      <main class="desk" data-phase={snapshot.phase}>
        <section class="card now" aria-labelledby="now">
          <h2 id="now">On the television</h2>
          <OnTelevision snapshot={snapshot} live={live} now={transport.clock.now} />
          <div class="scrolls" tabIndex={0} role="group" aria-labelledby="now">
            <Now snapshot={snapshot} />
          </div>
        </section>
        {snapshot.phase !== "finished" && (
          <>
            <section class="card next-up" aria-labelledby="next-up">
              <h2 id="next-up">What comes next</h2>
              <div class="scrolls" tabIndex={0} role="group" aria-labelledby="next-up">
                <Ahead snapshot={snapshot} />
              </div>
            </section>
            <RoomCard snapshot={snapshot} room={room} joined={live?.joined ?? 0} screenURL={screenURL} drive={drive} letIn={() => setGuest({})} />
          </>
        )}
        <Players snapshot={snapshot} live={live} room={room} drive={drive} move={(participant) => setGuest({ participant })} />
      </main>
      <div class="trouble" role="status">
        {trouble && <p>{trouble}</p>}
        {drive.problem && (
          <button type="button" class="button button-small" onClick={drive.dismiss}>
            All right
          </button>
        )}
      </div>
      <Actions {...actions} />
      {guest && <LetIn session={session} participant={guest.participant} now={transport.clock.now} close={() => setGuest(undefined)} />}
      {keysShown && <KeyMap close={() => showKeys(false)} />}
      <Announcement text={`${phaseName(snapshot.phase)}${snapshot.question ? `, question ${snapshot.question.number}` : ""}`} />
    </div>
  );
}

function networkLine(connection: Connection): string | undefined {
  return connection === "struggling"
    ? "The connection to the server is gone. The players go on and nothing is lost; this page comes back by itself."
    : undefined;
}

function Ended({ ending }: { ending: Ending }) {
  return (
    <main class="failed">
      <h1>{ending === "gone" ? "There is no such session" : "You are signed out"}</h1>
      <p>{ending === "gone" ? "It may have been deleted." : "Sign in again and come back: the session waits for you."}</p>
      <a class="button button-primary" href="/host">
        {ending === "gone" ? "Your quizzes" : "Sign in"}
      </a>
    </main>
  );
}
