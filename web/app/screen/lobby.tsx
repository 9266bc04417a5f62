import { useRef } from "preact/hooks";
import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { joinHost, players } from "../lib/words";
import { useFit } from "./fit";

/** The way in, large, and everyone who found it. */
export function Lobby({ snapshot, live }: { snapshot: ScreenSnapshot; live: ScreenLive | undefined }) {
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
        <h1 class="title">
          <bdi>{snapshot.title}</bdi>
        </h1>
        <p class="count">{names.length > 0 ? inWords(live?.joined ?? names.length) : "Be the first one in"}</p>
        {names.length > 0 ? <Names names={names} /> : <p class="nobody">Names appear here as soon as somebody joins.</p>}
      </section>
    </div>
  );
}

function inWords(joined: number): string {
  return `${players(joined)} ${joined === 1 ? "is" : "are"} in`;
}

/** More names than this are shown closer together, without a frame each. */
const many = 60;

function Names({ names }: { names: string[] }) {
  const box = useRef<HTMLDivElement>(null);
  useFit(box, { min: 0.2, max: 1.8 }, names.join("\n"));
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
