import { useContext, useRef } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { joinHost } from "../lib/words";
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
      <section class="way-in" aria-label={t("How to join")}>
        {snapshot.doorsLocked ? (
          <p class="doors">{t("The doors are closed for now.")}</p>
        ) : (
          <>
            <img class="qr" src={`/j/${snapshot.joinCode}/qr.svg`} alt={t("QR code that leads to the quiz")} />
            <p>{rich("Scan the code, or open {address} and type", { address: <strong class="address">{joinHost(snapshot.joinURL)}</strong> })}</p>
            <p class="code">{snapshot.joinCode}</p>
          </>
        )}
      </section>
      <section class="crowd" aria-label={t("Who is in")}>
        {logo && <Logo id={logo} />}
        <Title title={snapshot.title} />
        <p class="count">{names.length > 0 ? inWords(live?.joined ?? names.length) : t("Be the first one in")}</p>
        {names.length > 0 ? <Names names={names} /> : <p class="nobody">{t("Names appear here as soon as somebody joins.")}</p>}
      </section>
    </div>
  );
}

function inWords(joined: number): string {
  return t({ one: "{n} player is in", other: "{n} players are in" }, { n: joined });
}

/** The quiz's title on three lines at most, as large as fits. */
function Title({ title }: { title: string }) {
  const box = useRef<HTMLHeadingElement>(null);
  useFit(box, { min: 0.3, max: 1 }, title);
  return (
    <h1 class="title" ref={box}>
      <bdi lang={useContext(QuizLanguage)}>{title}</bdi>
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
