import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import { ask, read } from "./ask";
import { merge } from "./merge";

/** How long, in milliseconds, typing rests before it is saved. */
const rest = 600;

/** How long, in milliseconds, until what could not be saved is tried again. */
const again = 5_000;

interface Notepad {
  revision: number;
  text: string;
}

export interface Pad {
  /** Undefined until it has been read. */
  text: string | undefined;
  write: (text: string) => void;
  /** What became of the writing, as a sentence. */
  line: string;
}

/**
 * The notepad that the session's hosts share. It is read when it is first open, saved as it is typed, and read again when another console has
 * saved, of which the newest revision tells; what both have written is put together.
 */
export function useNotepad(session: string, open: boolean, revision: number): Pad {
  const [text, setText] = useState<string>();
  const [line, setLine] = useState("");
  const [tries, setTries] = useState(0);
  const saved = useRef<Notepad | undefined>(undefined); // what the server has, as far as this console knows
  const onScreen = useRef("");
  const newest = useRef(0);
  const busy = useRef(false);
  newest.current = Math.max(newest.current, revision);

  const behind = () => (saved.current?.revision ?? -1) < newest.current;
  const unsaved = () => saved.current !== undefined && onScreen.current !== saved.current.text;
  const show = (text: string) => {
    onScreen.current = text;
    setText(text);
  };

  /** Reads what another console has saved. A sentence if that went wrong. */
  const bring = async (): Promise<string | undefined> => {
    const reply = await read(session, "notepad", isNotepad);
    if ("problem" in reply) return reply.problem;
    const base = saved.current;
    saved.current = reply;
    show(base ? merge(base.text, onScreen.current, reply.text) : reply.text);
    return undefined;
  };

  /** Saves what is on screen. A sentence if that went wrong. */
  const save = async ({ revision, text: before }: Notepad): Promise<string | undefined> => {
    const text = onScreen.current;
    if (text === before) return undefined;
    const reply = await ask(session, "notepad", { revision, text }, isRevision, "PUT");
    if ("revision" in reply) saved.current = { revision: reply.revision, text };
    else if (reply.type?.endsWith("/stale-revision")) newest.current = revision + 1;
    else return reply.problem;
    return undefined;
  };

  const exchange = async () => {
    if (busy.current) return;
    busy.current = true;
    const trouble = (behind() ? await bring() : undefined) ?? (saved.current && (await save(saved.current)));
    busy.current = false;
    setLine(trouble ?? (unsaved() ? "" : t("Saved.")));
    if (trouble || unsaved()) setTimeout(() => setTries((count) => count + 1), trouble ? again : 0);
  };

  useEffect(() => {
    if (!open && !saved.current) return;
    if (!behind() && !unsaved()) return;
    const timer = setTimeout(() => void exchange(), behind() ? 0 : rest);
    return () => clearTimeout(timer);
  }, [session, open, revision, text, tries]);

  useEffect(() => {
    const leave = () => void (document.hidden && unsaved() && exchange());
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [session]);

  const write = (text: string) => {
    setLine("");
    show(text);
  };
  return { text, write, line };
}

function isNotepad(reply: unknown): reply is Notepad {
  const { revision, text } = (reply ?? {}) as Partial<Notepad>;
  return typeof revision === "number" && typeof text === "string";
}

function isRevision(reply: unknown): reply is { revision: number } {
  return typeof (reply as { revision?: unknown } | undefined)?.revision === "number";
}
