import { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { Transport } from "../lib/transport";
import { keepLastState, lastState } from "./last-state";

/** Connects a phone to its session: what it hears, the answers it sends, and what it knew last. */
export function connect(session: string) {
  const last = lastState(session);
  const path = `/api/v1/sessions/${encodeURIComponent(session)}`;
  const transport: Transport<Snapshot, Personal> = new Transport({
    path: `${path}/participant`,
    part: "personal",
    onOutcome: (outcome) => outbox.take(outcome),
  });
  const outbox = new Outbox(session, `${path}/answers`, {
    send: (message) => transport.send(message),
    refresh: () => transport.refresh(),
    personal: () => transport.view.part,
  });
  if (last) transport.clock.assume(last.ahead);
  let seen = transport.view;
  transport.subscribe(() => {
    const before = seen;
    seen = transport.view;
    if (seen.ending) return outbox.stop();
    outbox.notice();
    const { shared, part: personal } = seen;
    if (!shared || !personal || (shared === before.shared && personal === before.part)) return;
    keepLastState({ session, shared, personal, ahead: transport.clock.now() - Date.now() });
  });
  return { transport, outbox, last };
}
