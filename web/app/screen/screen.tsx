import { t } from "../lib/language";
import type { Connection, Ending, Transport } from "../lib/transport";
import type { Look, ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { useView } from "../lib/use-view";
import { useBreak } from "./breaks";
import { Controls } from "./controls";
import { Stage } from "./stage";
import { useSounds } from "./use-sounds";

/** The television: the stage as large as the window, and a quiet line when the news stop coming. */
export function Screen({ transport, look }: { transport: Transport<ScreenSnapshot, ScreenLive>; look: Look | undefined }) {
  const { shared, part, connection, ending } = useView(transport);
  const { now } = transport.clock;
  const picture = useBreak(shared, look?.pictures.length ?? 0);
  const sounds = useSounds(shared, now);
  if (ending) return <Ended ending={ending} />;
  return (
    <main class="television">
      {shared && <Stage snapshot={shared} live={part} now={now} playing look={look} picture={picture} />}
      <p class="quiet-line" role="status">
        {quietLine(connection)}
      </p>
      <Controls sounds={sounds} />
    </main>
  );
}

function quietLine(connection: Connection): string {
  switch (connection) {
    case "starting":
      return t("Connecting…");
    case "struggling":
      return t("The connection is gone. The quiz goes on; this screen comes back by itself.");
    default:
      return "";
  }
}

function Ended({ ending }: { ending: Ending }) {
  return (
    <main class="television">
      <div class="ended">
        <h1>{ending === "gone" ? t("This session is over") : t("This screen’s link is no longer valid")}</h1>
        <p>{t("Open the big screen again from the host’s console.")}</p>
      </div>
    </main>
  );
}
