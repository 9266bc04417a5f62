import type { Ending } from "../lib/transport";
import { SceneHeading } from "./scene-heading";

const words: Record<Ending, { heading: string; text: string }> = {
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

export function Ended({ ending }: { ending: Ending }) {
  const { heading, text } = words[ending];
  return (
    <main class="page ended">
      <SceneHeading of={ending}>{heading}</SceneHeading>
      <p>{text}</p>
      <a class="button" href="/">
        Join with a code
      </a>
    </main>
  );
}
