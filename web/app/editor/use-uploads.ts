import { useEffect, useRef, useState } from "preact/hooks";
import type { Media } from "../lib/protocol";
import { type MediaKind, refusal, upload } from "./upload";

/** A file on its way, or why it did not get there. */
export type Upload = { name: string; share: number } | { name: string; reason: string };

export interface Uploads {
  /** By the key of the question or round that it is for. */
  of: (key: number) => Upload | undefined;
  send: (key: number, file: File, taken: readonly MediaKind[]) => void;
  /** Ends what is on its way, or forgets what went wrong. */
  end: (key: number) => void;
}

/** Sends files while the author goes on; what has arrived is given to arrived. */
export function useUploads(arrived: (key: number, media: Media) => void): Uploads {
  const [uploads, setUploads] = useState<ReadonlyMap<number, Upload>>(new Map());
  const running = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => running.current.size > 0 && event.preventDefault();
    window.addEventListener("beforeunload", leave);
    return () => window.removeEventListener("beforeunload", leave);
  }, []);
  const show = (key: number, upload: Upload | undefined) =>
    setUploads((old) => {
      const next = new Map(old);
      if (upload) next.set(key, upload);
      else next.delete(key);
      return next;
    });
  const end = (key: number) => {
    running.current.get(key)?.abort();
    running.current.delete(key);
    show(key, undefined);
  };
  const send = async (key: number, file: File, taken: readonly MediaKind[]) => {
    end(key);
    const { name } = file;
    const reason = refusal(file, taken);
    if (reason) return show(key, { name, reason });
    const abort = new AbortController();
    running.current.set(key, abort);
    show(key, { name, share: 0 });
    const reply = await upload(file, (share) => running.current.get(key) === abort && show(key, { name, share }), abort.signal);
    if (running.current.get(key) !== abort) return; // another took its place
    running.current.delete(key);
    show(key, "reason" in reply ? { name, reason: reply.reason } : undefined);
    if ("media" in reply) arrived(key, reply.media);
  };
  return { of: (key) => uploads.get(key), send: (key, file, taken) => void send(key, file, taken), end };
}
