import { Announcement } from "../lib/announce";
import { Signal } from "../lib/icons";
import { t } from "../lib/language";
import { LanguageLink } from "../lib/language-link";
import type { Personal, Phase } from "../lib/protocol";
import type { Connection } from "../lib/transport";
import { pointsLong } from "../lib/words";

const troubles: Record<Connection, string> = {
  starting: "",
  socket: "",
  polling: t("Slow connection. Everything still works, a little later."),
  struggling: t("The WiFi is struggling. You’re still in; your answers count."),
};
const oldNews = t("The WiFi is struggling. This is how it was; trying again…");

interface PlayTopProps {
  personal: Personal;
  phase: Phase;
  connection: Connection;
  /** What is shown is from before a reload. */
  old?: boolean;
}

/**
 * Who is playing and how many points they have; in the lobby, in which language. When the news come in slowly or not at all, a calm line says so in the place of
 * the name: what is below must not move.
 */
export function PlayTop(props: PlayTopProps) {
  const { personal, phase, connection, old = false } = props;
  const trouble = old ? oldNews : troubles[connection];
  return (
    <header class="play-top">
      {trouble ? (
        <p class="trouble">
          <Signal />
          {trouble}
        </p>
      ) : (
        <p class="who">{phase !== "lobby" && <bdi>{personal.name}</bdi>}</p>
      )}
      {phase === "lobby" ? (
        <LanguageLink look="language" />
      ) : (
        <p class="total">
          <span class="visually-hidden">{t("So far:")} </span>
          <span class="tabular">{pointsLong(personal.points)}</span>
        </p>
      )}
      <Announcement text={trouble} />
    </header>
  );
}
