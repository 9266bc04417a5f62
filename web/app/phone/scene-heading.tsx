import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * The heading of what the phone shows now. When it comes up it takes the focus, so that a screen reader reads it and the keyboard
 * goes on from there. of names what it is about: another value is another scene, and none is one that does not show yet.
 */
export function SceneHeading({ of, lang, children }: { of: string | undefined; lang?: string | undefined; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (of === undefined) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [of]);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto" lang={lang}>
      {children}
    </h1>
  );
}
