import { useEffect, useMemo } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { t } from "../lib/language";
import { useSlow } from "../lib/use-slow";
import { useView } from "../lib/use-view";
import { connect } from "./connect";
import { useOpeningBuzz, useWakeLock } from "./device";
import { Ended } from "./ended";
import { forgetLastState } from "./last-state";
import { Scenes } from "./scenes";
import { dropShell, keepShell } from "./shell";

export function Play({ session }: { session: string }) {
  const { transport, outbox, last } = useMemo(() => connect(session), [session]);
  const view = useView(transport);
  const { connection, ending } = view;
  const fresh = view.shared !== undefined && view.part !== undefined;
  const slow = useSlow(!fresh);
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
  if (!fresh && !slow) return null; // what comes at once is not announced
  if (!shared || !personal) return <Loading struggling={connection === "struggling"} />;
  return <Scenes session={session} shared={shared} personal={personal} connection={connection} old={!fresh} outbox={outbox} now={transport.clock.now} />;
}

function Loading({ struggling }: { struggling: boolean }) {
  const text = struggling ? t("The WiFi is struggling. Still trying to reach the quiz…") : t("Getting the quiz…");
  return (
    <main class="page loading">
      <p>{text}</p>
      <Announcement text={struggling ? text : ""} />
    </main>
  );
}
