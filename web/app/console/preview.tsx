import { useEffect, useRef, useState } from "preact/hooks";
import type { Look } from "../lib/protocol";
import type { SightProps } from "../sights/sight";

/** What the screens are drawn with. */
export interface Sights {
  script: string;
  phoneStyle: string;
  /** The pub's; absent: the product's own. */
  look?: Look;
}

interface PreviewProps extends Omit<SightProps, "phoneStyle" | "look"> {
  sights: Sights;
}

type Draw = (into: HTMLElement, props: SightProps) => void;

/** What the room sees, in miniature. It is loaded after the console, which can be used without it, and only looked at: what it says stands beside it in words. */
export function Preview({ sights, ...shown }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [draw, setDraw] = useState<Draw>();
  useEffect(() => {
    const loading = import(sights.script) as Promise<{ draw: Draw }>;
    loading.then((script) => setDraw(() => script.draw)).catch(() => {}); // without network there is no picture
  }, [sights.script]);
  useEffect(() => {
    if (draw && box.current) draw(box.current, { ...shown, phoneStyle: sights.phoneStyle, look: sights.look });
  });
  return <div ref={box} class="preview" data-on={shown.on} aria-hidden="true" inert />;
}
