import { type ComponentChildren, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "./language";

interface MiniatureProps {
  /** Of the screen that is shown, in its own pixels. */
  width: number;
  height: number;
  /** The address of that screen's style sheet. */
  style: string;
  /** It has a phone's corners. */
  round?: boolean;
  children: ComponentChildren;
}

/**
 * Another screen in miniature: in a frame of that screen's size with that screen's own style sheet, scaled to the room there is. It is only
 * looked at: nothing in it takes the focus or a tap, and what it says stands beside it in the form.
 */
export function Miniature({ width, height, style, round = false, children }: MiniatureProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [root, setRoot] = useState<HTMLElement>();
  const [scale, setScale] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => setScale(Math.min(element.clientWidth / width, element.clientHeight / height)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [width, height]);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (inside) furnish(inside, style, setRoot);
  }, [style]);
  useEffect(() => {
    if (root) render(children, root);
  }, [root, children]);
  useEffect(() => () => void (root && render(null, root)), [root]);
  const room = { width: `${width * scale}px`, height: `${height * scale}px` };
  return (
    <div class="miniature-room" ref={box} aria-hidden="true" inert>
      <div class="miniature" data-round={round || undefined} style={room}>
        <iframe ref={frame} title={t("Preview")} tabIndex={-1} style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }} />
      </div>
    </div>
  );
}

/** Gives an empty document the style sheet, and then, when that is there, a place to draw in. */
function furnish(inside: Document, style: string, ready: (root: HTMLElement) => void): void {
  inside.documentElement.lang = document.documentElement.lang;
  inside.documentElement.dir = document.documentElement.dir;
  inside.body.inert = true; // a scene's heading takes the focus when the scene changes
  const link = inside.createElement("link");
  link.rel = "stylesheet";
  link.href = style;
  link.onload = () => {
    const root = inside.createElement("div");
    root.id = "app";
    inside.body.replaceChildren(root);
    ready(root);
  };
  inside.head.replaceChildren(link);
}
