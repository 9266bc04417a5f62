import { useEffect, useState } from "preact/hooks";

/** Something that knows a state and tells when it was replaced: a Transport, an Outbox. */
export interface Source<V> {
  readonly view: V;
  subscribe(watcher: () => void): () => void;
}

/** What the source knows, kept up to date on screen. */
export function useView<V>(source: Source<V>): V {
  const [view, setView] = useState(source.view);
  useEffect(() => {
    setView(source.view);
    return source.subscribe(() => setView(source.view));
  }, [source]);
  return view;
}
