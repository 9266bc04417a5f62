import { useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import type { HostLive, HostSnapshot, Participant, Room } from "../lib/protocol";
import type { Connection, Ending, Transport } from "../lib/transport";
import { useView } from "../lib/use-view";
import { Actions, type Asking } from "./actions";
import { Ahead } from "./ahead";
import { Controls } from "./controls";
import { KeyMap } from "./key-map";
import { LetIn } from "./let-in";
import { Log } from "./log-view";
import { MarkingPanel } from "./marking-panel";
import { Now } from "./now";
import { OnTelevision } from "./on-television";
import { Papers } from "./papers-view";
import { Players } from "./players";
import type { Allowed } from "./places";
import { RoomCard } from "./room";
import { type KeyCommand, phaseName } from "./steps";
import { useDrive } from "./use-drive";
import { useKeys } from "./use-keys";

interface ConsoleProps {
  session: string;
  screenURL: string;
  allowed: Allowed;
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

/** What lies open over the desk. */
type Open = "keys" | "log" | "papers" | { guest: Participant | undefined } | undefined;

function Desk({ session, screenURL, allowed, transport, snapshot, live, room, connection }: DeskProps) {
  const drive = useDrive(session, snapshot, transport);
  const [asking, ask] = useState<Asking>();
  const [open, show] = useState<Open>();
  const [marking, setMarking] = useState(location.hash === "#marking"); // where the results' page leads
  const { commands = [], phase, question, voided } = snapshot;
  const close = () => show(undefined);
  const take = (command: KeyCommand) => {
    if (command === "finish") ask("finish");
    else void drive.run(command);
  };
  const answer = async (go: boolean) => {
    // What could not be sent yet can be pressed again.
    const sent = !go || (asking === "void" && question ? drive.run("void", { question: question.id }) : drive.run("finish"));
    if (await sent) ask(undefined);
  };
  const stillAsked = asking === "finish" ? commands.includes("finish") : asking === "void" && question !== undefined && !voided;
  const actions = { snapshot, drive, asking: stillAsked ? asking : undefined, take, answer };
  useKeys({ ...actions, showKeys: () => show("keys"), closeMarking: marking ? () => setMarking(false) : undefined });
  const trouble = drive.problem ?? networkLine(connection);
  const finished = phase === "finished";
  return (
    <div class="console">
      <header class="bar">
        <a class="back" href="/host">
          ← Your quizzes
        </a>
        <h1>
          <bdi>{snapshot.title}</bdi>
        </h1>
        <div class="drawers">
          <Drawer label="Answers" shortcut="A" onClick={() => show("papers")} />
          <Drawer label="Log" shortcut="H" onClick={() => show("log")} />
          <Drawer label="Keys" shortcut="?" onClick={() => show("keys")} />
        </div>
        <p class="network" data-connection={connection}>
          {connection === "polling" ? "Polling" : connection === "struggling" ? "Offline" : "Live"}
        </p>
      </header>
      <main class="desk" data-phase={phase} data-marking={marking ? "" : undefined}>
        <section class="card now" aria-labelledby="now">
          <h2 id="now">On the television</h2>
          <OnTelevision snapshot={snapshot} live={live} now={transport.clock.now} />
          <Controls
            snapshot={snapshot}
            drive={drive}
            take={take}
            askToVoid={() => ask("void")}
            mark={() => setMarking(!marking)}
          />
          <div class="scrolls" tabIndex={0} role="group" aria-labelledby="now">
            <Now session={session} snapshot={snapshot} drive={drive} mark={() => setMarking(true)} />
          </div>
        </section>
        {marking ? (
          <MarkingPanel session={session} snapshot={snapshot} close={() => setMarking(false)} />
        ) : (
          <>
            {!finished && (
              <>
                <section class="card next-up" aria-labelledby="next-up">
                  <h2 id="next-up">What comes next</h2>
                  <div class="scrolls" tabIndex={0} role="group" aria-labelledby="next-up">
                    <Ahead snapshot={snapshot} />
                  </div>
                </section>
                <RoomCard
                  snapshot={snapshot}
                  room={room}
                  joined={live?.joined ?? 0}
                  screenURL={screenURL}
                  allowed={allowed}
                  drive={drive}
                  take={take}
                  letIn={() => show({ guest: undefined })}
                />
              </>
            )}
            <Players snapshot={snapshot} live={live} room={room} drive={drive} move={(guest) => show({ guest })} />
          </>
        )}
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
      {typeof open === "object" && <LetIn session={session} participant={open.guest} now={transport.clock.now} close={close} />}
      {open === "keys" && <KeyMap close={close} />}
      {open === "log" && <Log session={session} version={snapshot.version} close={close} />}
      {open === "papers" && <Papers session={session} at={question?.id ?? snapshot.upNext?.id} close={close} />}
      <Announcement text={`${phaseName(phase)}${question ? `, question ${question.number}` : ""}`} />
    </div>
  );
}

function Drawer({ label, shortcut, onClick }: { label: string; shortcut: string; onClick: () => void }) {
  return (
    <button type="button" class="button button-small button-quiet" aria-keyshortcuts={shortcut} onClick={onClick}>
      {label} <kbd class="kbd">{shortcut}</kbd>
    </button>
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
