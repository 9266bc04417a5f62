import { useRef, useState } from "preact/hooks";
import type { SaveState } from "../editor/autosave";
import type { Look } from "../lib/protocol";
import { save } from "./save";

/** A member that is undefined is taken out. */
export type Part = { [K in keyof Look]?: Look[K] | undefined };

export interface Editing {
  look: Look;
  state: SaveState;
  /** Changes a part of it, or what is made of its newest state. */
  change: (part: Part | ((now: Look) => Part)) => void;
  retry: () => void;
}

/** A look that saves itself, one save at a time and the last one in the end. */
export function useLook(first: Look): Editing {
  const [look, setLook] = useState(first);
  const [state, setState] = useState<SaveState>({ name: "saved" });
  const wanted = useRef(first);
  const saving = useRef(false);
  const retry = async () => {
    if (saving.current) return; // which looks again at what is wanted when it is done
    saving.current = true;
    setState({ name: "saving" });
    let sent: Look;
    let reply: Look | { reason: string };
    do {
      sent = wanted.current;
      reply = await save(sent);
    } while (sent !== wanted.current);
    saving.current = false;
    if ("reason" in reply) return setState({ name: "failed", reason: reply.reason });
    wanted.current = reply;
    setLook(reply);
    setState({ name: "saved" });
  };
  const change: Editing["change"] = (part) => {
    wanted.current = { ...wanted.current, ...(typeof part === "function" ? part(wanted.current) : part) } as Look;
    setLook(wanted.current);
    void retry();
  };
  return { look, state, change, retry: () => void retry() };
}
