import type { Ending } from "../lib/transport";
import { SceneHeading } from "./scene-heading";

interface Words {
  heading: string;
  text: string;
}

const words: Record<Ending, Words> = {
  removed: {
    heading: "You’re out of this quiz",
    text: "The host has taken this phone out. If that was a mistake, have a word with them: they can let you in again.",
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
export function Ended({ ending, played }: { ending: Ending; played: boolean }) {
  const { heading, text } = ending === "unauthorized" && played ? moved : words[ending];
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
