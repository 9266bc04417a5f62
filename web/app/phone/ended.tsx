import { useEffect } from "preact/hooks";
import type { Ending } from "../lib/transport";
import { SceneHeading } from "./scene-heading";

interface Words {
  heading: string;
  text: string;
}

const words: Record<Ending, Words> = {
  removed: {
    heading: "You’re out of this quiz",
    text: "The host has taken this phone out. If that was a mistake, have a word with them: they can let you in again, and this page goes on by itself.",
  },
  unauthorized: {
    heading: "This phone isn’t in the quiz",
    text: "Perhaps you went on with another phone. You can join again with the code on the big screen.",
  },
  gone: {
    heading: "This quiz isn’t here any more",
    text: "It has ended and was cleared away. Thank you for playing!",
  },
};

const moved: Words = {
  heading: "You went on with another phone",
  text: "Your name and your points are there now, so this one rests. To come back to it, ask the host for a code.",
};

/** The end of playing on this phone. played: it has been in, and was not just opened. */
export function Ended({ session, ending, played }: { session: string; ending: Ending; played: boolean }) {
  const { heading, text } = ending === "unauthorized" && played ? moved : words[ending];
  useLettingBackIn(session, ending === "removed");
  return (
    <main class="page ended">
      <SceneHeading of={heading}>{heading}</SceneHeading>
      <p>{text}</p>
      <a class="button" href="/">
        Join with a code
      </a>
    </main>
  );
}

/** How often, in milliseconds, a phone that was removed looks whether it may come back. */
const look = 20_000;

/** Starts anew once the host has let this phone back in. */
function useLettingBackIn(session: string, removed: boolean): void {
  useEffect(() => {
    if (!removed) return;
    const ask = async () => {
      if (document.hidden) return;
      const response = await fetch(`/api/v1/sessions/${encodeURIComponent(session)}/participant`, { cache: "no-store" }).catch(() => undefined);
      if (response?.status === 200) location.reload();
    };
    const timer = setInterval(ask, look);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [session, removed]);
}
