import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Question } from "./protocol";

/** What the quiz is written in, whatever the page speaks, so that a screen reader says it as it should; undefined where nobody said. */
export const QuizLanguage = createContext<string | undefined>(undefined);

/** What a question's options are written in: true and false are the page's own words. */
export function useOptionsLanguage({ kind }: Question): string | undefined {
  const language = useContext(QuizLanguage);
  return kind === "trueFalse" ? undefined : language;
}
