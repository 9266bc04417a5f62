import { useMemo } from "preact/hooks";
import { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { Scenes } from "./scenes";

interface PicturedProps {
  shared: Snapshot;
  personal: Personal;
  now: () => number;
}

/** A phone that is only looked at: nobody taps on it, so nothing is ever sent. */
export function PicturedPhone({ shared, personal, now }: PicturedProps) {
  const outbox = useMemo(() => new Outbox("picture", "", { send: () => false, refresh: async () => false, personal: () => undefined }), []);
  return <Scenes session="picture" shared={shared} personal={personal} connection="socket" outbox={outbox} now={now} />;
}
