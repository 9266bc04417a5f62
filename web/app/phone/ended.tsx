import { useEffect } from "preact/hooks";
import { t } from "../lib/language";
import type { Ending } from "../lib/transport";
import { SceneHeading } from "./scene-heading";

interface Words {
  heading: string;
  text: string;
}

const words: Record<Ending, Words> = {
  removed: {
    heading: t("You’re out of this quiz"),
    text: t("The host has taken this phone out. If that was a mistake, have a word with them: they can let you in again, and this page goes on by itself."),
  },
  unauthorized: {
    heading: t("This phone isn’t in the quiz"),
    text: t("Perhaps you went on with another phone. You can join again with the code on the big screen."),
  },
  lost: {
    heading: t("Your place is gone"),
    text: t("The quiz had to go back to a moment before you joined: join again with the code on the big screen. Or it was over long ago, and names are not kept for ever."),
  },
  gone: {
    heading: t("This quiz isn’t here any more"),
    text: t("It has ended and was cleared away. Thank you for playing!"),
  },
};

const moved: Words = {
  heading: t("You went on with another phone"),
  text: t("Your name and your points are there now, so this one rests. To come back to it, ask the host for a code."),
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
        {t("Join with a code")}
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
