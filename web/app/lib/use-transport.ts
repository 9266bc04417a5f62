import { useEffect, useState } from "preact/hooks";
import type { Snapshot } from "./protocol.ts";
import type { Transport, View } from "./transport.ts";

/** What the transport knows, kept up to date on screen. */
export function useTransport<S extends Snapshot, P>(transport: Transport<S, P>): View<S, P> {
  const [view, setView] = useState(transport.view);
  useEffect(() => {
    setView(transport.view);
    return transport.subscribe(() => setView(transport.view));
  }, [transport]);
  return view;
}
