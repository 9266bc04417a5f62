import { useEffect, useRef, useState } from "preact/hooks";
import type { Command, HostLive, HostSnapshot } from "../lib/protocol";
import type { Transport } from "../lib/transport";
import { type CommandDetail, type Reply, send } from "./drive";

/** How long, in milliseconds, steps are ignored after one took effect or was refused: the second half of a double-click is no step. */
const settle = 700;

/** How long, in milliseconds, the socket may take to bring what a command changed; then the console asks for it. */
const patience = 300;

export interface Drive {
  /** The command under way, until its effect is on screen. */
  pending: Command | undefined;
  /** Why the last command came to nothing, as a sentence. */
  problem: string | undefined;
  /** Sends a command for the version on screen; undefined if it was not sent because another is under way. */
  run: (command: Command, detail?: CommandDetail) => Promise<Reply | undefined>;
  dismiss: () => void;
}

/** Sends the host's commands one at a time, each meant for the version on screen. */
export function useDrive(session: string, snapshot: HostSnapshot, transport: Transport<HostSnapshot, HostLive>): Drive {
  const [pending, setPending] = useState<{ command: Command; until?: number }>();
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);
  const settledAt = useRef(0);
  const { version } = snapshot;

  const release = () => {
    busy.current = false;
    setPending(undefined);
  };

  const rest = () => {
    settledAt.current = performance.now() + settle;
  };
  useEffect(rest, [snapshot.phase, snapshot.question?.id]);

  useEffect(() => {
    if (pending?.until === undefined) return;
    if (version >= pending.until) return release();
    const timer = setTimeout(() => void transport.refresh().finally(release), patience);
    return () => clearTimeout(timer);
  }, [pending, version]);

  const run = async (command: Command, detail?: CommandDetail): Promise<Reply | undefined> => {
    if (busy.current || (!detail && performance.now() < settledAt.current)) return undefined;
    busy.current = true;
    setProblem(undefined);
    setPending({ command });
    const reply = await send(session, version, command, detail);
    if ("version" in reply) {
      setPending({ command, until: reply.version });
    } else {
      release();
      rest();
      void transport.refresh();
      if (!reply.field) setProblem(reply.problem);
    }
    return reply;
  };

  return { pending: pending?.command, problem, run, dismiss: () => setProblem(undefined) };
}
