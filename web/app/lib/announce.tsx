import { useEffect, useState } from "preact/hooks";

/** Tells a screen reader what has changed, politely, whenever the text differs from the last. */
export function Announcement({ text }: { text: string }) {
  // A region that appears together with its text is not read by all: it is filled after it is there.
  const [said, say] = useState("");
  useEffect(() => say(text), [text]);
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {said}
    </p>
  );
}
