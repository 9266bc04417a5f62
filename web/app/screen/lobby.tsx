import { useRef } from "preact/hooks";
import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { joinHost, players } from "../lib/words";
import { useFit } from "./fit";
import { Logo } from "./logo";
import { useTurns } from "./use-turns";

interface LobbyProps {
  snapshot: ScreenSnapshot;
  live: ScreenLive | undefined;
  /** The id of the pub's. */
  logo: string | undefined;
}

/** The way in, large, and everyone who found it. */
export function Lobby({ snapshot, live, logo }: LobbyProps) {
  const names = live?.names ?? [];
  return (
    <div class="lobby">
      <section class="way-in" aria-label="How to join">
        {snapshot.doorsLocked ? (
          <p class="doors">The doors are closed for now.</p>
        ) : (
          <>
            <img class="qr" src={`/j/${snapshot.joinCode}/qr.svg`} alt="QR code that leads to the quiz" />
            <p class="how">
              Scan the code, or open <strong class="address">{joinHost(snapshot.joinURL)}</strong> and type
            </p>
            <p class="code">{snapshot.joinCode}</p>
          </>
        )}
      </section>
      <section class="crowd" aria-label="Who is in">
        {logo && <Logo id={logo} />}
        <Title title={snapshot.title} />
        <p class="count">{names.length > 0 ? inWords(live?.joined ?? names.length) : "Be the first one in"}</p>
        {names.length > 0 ? <Names names={names} /> : <p class="nobody">Names appear here as soon as somebody joins.</p>}
      </section>
    </div>
  );
}

function inWords(joined: number): string {
  return `${players(joined)} ${joined === 1 ? "is" : "are"} in`;
}

/** The quiz's title on three lines at most, as large as fits. */
function Title({ title }: { title: string }) {
  const box = useRef<HTMLHeadingElement>(null);
  useFit(box, { min: 0.3, max: 1 }, title);
  return (
    <h1 class="title" ref={box}>
      <bdi>{title}</bdi>
    </h1>
  );
}

/** More names than this are shown closer together, without a frame each. */
const many = 60;

/** Everyone's names, as large as fits. Where they would get too small to be read from afar, they take turns. */
function Names({ names }: { names: string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const content = names.join("\n");
  useFit(box, { min: 0.62, max: 1.8 }, content);
  useTurns(box, content);
  return (
    <div class="names fit" data-many={names.length > many ? "" : undefined} ref={box}>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
