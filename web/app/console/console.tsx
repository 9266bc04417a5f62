import { useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { t } from "../lib/language";
import type { HostLive, HostSnapshot, Participant, Room } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import type { Connection, Ending, Transport } from "../lib/transport";
import { useView } from "../lib/use-view";
import type { SightProps } from "../sights/sight";
import { Actions, type Asking } from "./actions";
import { Ahead } from "./ahead";
import { Controls } from "./controls";
import { type Cohosting, Hosts } from "./hosts";
import { Kbd } from "./kbd";
import { KeyMap } from "./key-map";
import { type Action, keyOf } from "./keys";
import { LetIn } from "./let-in";
import { Log } from "./log-view";
import { MarkingPanel } from "./marking-panel";
import { Notepad } from "./notepad";
import { Now } from "./now";
import { OnTelevision } from "./on-television";
import { Papers } from "./papers-view";
import { Players } from "./players";
import type { Allowed } from "./places";
import type { Sights } from "./preview";
import { RoomCard } from "./room";
import { type KeyCommand, phaseName } from "./steps";
import { useDrive } from "./use-drive";
import { useKeys } from "./use-keys";
import { useNotepad } from "./use-notepad";

interface ConsoleProps {
  session: string;
  screenURL: string;
  allowed: Allowed;
  sights: Sights;
  /** Undefined on the owner's own console. */
  cohosting: Cohosting | undefined;
  transport: Transport<HostSnapshot, HostLive>;
}

/** The host's one view: what is on the television, what comes next, who has answered, and the next step. */
export function Console(props: ConsoleProps) {
  const { shared, part, room, connection, ending } = useView(props.transport);
  if (ending) return <Ended ending={ending} cohosting={props.cohosting !== undefined} />;
  if (!shared) return <p class="starting waits">{connection === "struggling" ? networkLine(connection) : t("Opening the console…")}</p>;
  return (
    <QuizLanguage.Provider value={shared.language}>
      <Desk {...props} snapshot={shared} live={part} room={room} connection={connection} />
    </QuizLanguage.Provider>
  );
}

interface DeskProps extends ConsoleProps {
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  room: Room | undefined;
  connection: Connection;
}

/** What lies beside the television: what comes next, the hosts' notes in its place, or the marking in the place of all else. */
type Beside = "next" | "notes" | "marking";

/** What lies open over the desk. */
type Open = "keys" | "log" | "papers" | "hosts" | { guest: Participant | undefined } | undefined;

function Desk({ session, screenURL, allowed, sights, cohosting, transport, snapshot, live, room, connection }: DeskProps) {
  const drive = useDrive(session, snapshot, transport);
  const [asking, ask] = useState<Asking>();
  const [open, show] = useState<Open>();
  const [beside, setBeside] = useState<Beside>(location.hash === "#marking" ? "marking" : "next"); // the results' page leads to the marking
  const [on, setOn] = useState<SightProps["on"]>("television");
  const marking = beside === "marking";
  const notes = beside === "notes";
  const pad = useNotepad(session, notes, live?.notepad ?? 0);
  const turn = (to: Beside) => setBeside(beside === to ? "next" : to);
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
  useKeys({ ...actions, closeMarking: marking ? () => setBeside("next") : undefined });
  const trouble = drive.problem ?? networkLine(connection);
  const finished = phase === "finished";
  return (
    <div class="console">
      <header class="bar">
        <a class="back" href="/host">
          {t("← Your quizzes")}
        </a>
        <h1>
          <bdi lang={snapshot.language}>{snapshot.title}</bdi>
        </h1>
        <div class="drawers">
          <Drawer label={t("Answers")} of="papers" onClick={() => show("papers")} />
          <Drawer label={t("Log")} of="log" onClick={() => show("log")} />
          <Drawer label={t("Notes")} of="notes" pressed={notes} onClick={() => turn("notes")} />
          <Drawer label={hostsLabel(snapshot)} of="hosts" onClick={() => show("hosts")} />
          <Drawer label={t("Keys")} of="keys" onClick={() => show("keys")} />
        </div>
        <p class="network" data-connection={connection}>
          {connection === "polling" ? t("Polling") : connection === "struggling" ? t("Offline") : t("Live")}
        </p>
      </header>
      <main class="desk" data-phase={phase} data-marking={marking ? "" : undefined} data-notes={notes ? "" : undefined}>
        <section class="card now" aria-labelledby="now">
          <div class="card-top">
            <h2 id="now">{on === "phone" ? t("On the phones") : t("On the television")}</h2>
            <button type="button" class="chip" aria-keyshortcuts={keyOf("picture")} onClick={() => setOn(on === "phone" ? "television" : "phone")}>
              {on === "phone" ? t("See the television") : t("See a phone")} <Kbd of="picture" />
            </button>
          </div>
          <OnTelevision on={on} snapshot={snapshot} live={live} now={transport.clock.now} sights={sights} />
          <Controls
            snapshot={snapshot}
            drive={drive}
            take={take}
            askToVoid={() => ask("void")}
            mark={() => turn("marking")}
          />
          <div class="scrolls" tabIndex={0} role="group" aria-labelledby="now">
            <Now session={session} snapshot={snapshot} drive={drive} mark={() => setBeside("marking")} />
          </div>
        </section>
        {marking ? (
          <MarkingPanel session={session} snapshot={snapshot} close={() => setBeside("next")} />
        ) : (
          <>
            {notes && (
              <section class="card next-up" aria-labelledby="notes">
                <header class="card-top">
                  <h2 id="notes">{t("Your notes")}</h2>
                  <button type="button" class="button button-small" aria-keyshortcuts={keyOf("notes")} onClick={() => setBeside("next")}>
                    {t("Done")} <Kbd of="notes" />
                  </button>
                </header>
                <Notepad pad={pad} />
              </section>
            )}
            {!finished && (
              <>
                {!notes && (
                  <section class="card next-up" aria-labelledby="next-up">
                    <h2 id="next-up">{t("What comes next")}</h2>
                    <div class="scrolls" tabIndex={0} role="group" aria-labelledby="next-up">
                      <Ahead snapshot={snapshot} />
                    </div>
                  </section>
                )}
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
            {t("All right")}
          </button>
        )}
      </div>
      <Actions {...actions} />
      {typeof open === "object" && <LetIn session={session} participant={open.guest} now={transport.clock.now} close={close} />}
      {open === "hosts" && <Hosts session={session} snapshot={snapshot} cohosting={cohosting} close={close} />}
      {open === "keys" && <KeyMap close={close} />}
      {open === "log" && <Log session={session} version={snapshot.version} close={close} />}
      {open === "papers" && <Papers session={session} at={question?.id ?? snapshot.upNext?.id} close={close} />}
      <Announcement text={question ? t("{phase}, question {number}", { phase: phaseName(phase), number: question.number }) : phaseName(phase)} />
    </div>
  );
}

interface DrawerProps {
  label: string;
  of: Action;
  /** Whether it is open, where it stays beside everything else. */
  pressed?: boolean;
  onClick: () => void;
}

function Drawer({ label, of, pressed, onClick }: DrawerProps) {
  return (
    <button type="button" class="button button-small button-quiet" aria-keyshortcuts={keyOf(of)} aria-pressed={pressed} onClick={onClick}>
      {label} <Kbd of={of} />
    </button>
  );
}

function hostsLabel({ cohosts = [] }: HostSnapshot): string {
  return cohosts.length === 0 ? t("Hosts") : t({ one: "{n} host", other: "{n} hosts" }, { n: cohosts.length + 1 });
}

function networkLine(connection: Connection): string | undefined {
  return connection === "struggling"
    ? t("The connection to the server is gone. The players go on and nothing is lost; this page comes back by itself.")
    : undefined;
}

function Ended({ ending, cohosting }: { ending: Ending; cohosting: boolean }) {
  const { heading, text, way } = endings(ending, cohosting);
  return (
    <main class="failed">
      <h1>{heading}</h1>
      <p>{text}</p>
      <a class="button button-primary" href="/host">
        {way}
      </a>
    </main>
  );
}

function endings(ending: Ending, cohosting: boolean): { heading: string; text: string; way: string } {
  if (ending === "unauthorized") {
    return { heading: t("You are signed out"), text: t("Sign in again and come back: the session waits for you."), way: t("Sign in") };
  }
  const way = t("Your quizzes");
  if (cohosting) return { heading: t("You no longer host this quiz"), text: t("It goes on without you. If that is a mistake, ask its owner for a new link."), way };
  return { heading: t("There is no such session"), text: t("It may have been deleted."), way };
}
