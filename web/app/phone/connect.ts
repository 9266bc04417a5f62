import { Outbox } from "../lib/outbox";
import type { Personal, Snapshot } from "../lib/protocol";
import { Transport } from "../lib/transport";
import { withOutcome } from "./answer";
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
  const keepState = () => {
    const { shared, part: personal, ending } = transport.view;
    if (!shared || !personal || ending) return;
    const known = shared.question ? withOutcome(shared.question.id, personal, outbox.view) : personal;
    keepLastState({ session, shared, personal: known, ahead: transport.clock.now() - Date.now() });
  };
  let epoch: string | undefined;
  transport.subscribe(() => {
    const { shared, ending } = transport.view;
    if (ending) return outbox.stop();
    if (shared && shared.epoch !== epoch) {
      if (epoch !== undefined) outbox.putBack(shared.question?.id);
      epoch = shared.epoch;
    }
    outbox.notice();
    keepState();
  });
  outbox.subscribe(keepState);
  return { transport, outbox, last };
}
