import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * The heading of what the phone shows now. When it comes up it takes the focus, so that a screen reader reads it and the keyboard
 * goes on from there. of names what it is about: another value is another scene.
 */
export function SceneHeading({ of, children }: { of: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [of]);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}
