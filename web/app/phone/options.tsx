import { Check, Cross } from "../lib/icons";
import { t } from "../lib/language";
import { OptionMark, optionLetter } from "../lib/option-mark";
import { answers } from "../lib/words";

interface OptionsProps {
  options: string[];
  language: string | undefined;
  /** More than one can be chosen: they show a box to tick. */
  several: boolean;
  chosen: number[];
  /** From the reveal on: which are right. */
  right: number[] | undefined;
  /** From the reveal of a poll on: who chose what. */
  votes: number[] | undefined;
  sending: boolean;
  choosable: boolean;
  onChoose: (index: number) => void;
}

/** From this many characters on, options are set smaller, so that four of them stay on the screen with their question. */
const longText = 36;

/** What their list is marked with where one of them is long. */
export function isLong(options: string[]): "" | undefined {
  return options.some((text) => text.length > longText) ? "" : undefined;
}

/** The options as buttons that fill the width. */
export function Options({ options, language, several, chosen, right, votes, sending, choosable, onChoose }: OptionsProps) {
  const most = Math.max(1, ...(votes ?? []));
  return (
    <ul
      class="options"
      data-over={right || !choosable ? "" : undefined}
      data-long={isLong(options)}
    >
      {options.map((text, index) => {
        const mine = chosen.includes(index);
        const verdict = right && (right.includes(index) ? "right" : mine ? "wrong" : undefined);
        const count = votes?.[index];
        return (
          <li key={index}>
            <button
              type="button"
              class="option"
              data-chosen={mine ? "" : undefined}
              data-sending={mine && sending ? "" : undefined}
              data-verdict={verdict}
              aria-pressed={mine}
              aria-disabled={!choosable}
              onClick={() => choosable && onChoose(index)}
            >
              <OptionMark index={index} />
              <span class="option-words">
                <span class="visually-hidden">{optionLetter(index)}. </span>
                <bdi class="option-text" lang={language}>
                  {text}
                </bdi>
                <OptionNote mine={mine} verdict={verdict} />
                {count !== undefined && (
                  <span class="option-note">
                    <meter class="votes" max={most} value={count} aria-hidden="true" />
                    {mine ? t({ one: "{n} answer · yours", other: "{n} answers · yours" }, { n: count }) : answers(count)}
                  </span>
                )}
              </span>
              {several && !right && <span class="tick">{mine && <Check />}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Says in words what colour alone must not. */
function OptionNote({ mine, verdict }: { mine: boolean; verdict: "right" | "wrong" | undefined }) {
  if (!verdict) return null;
  return (
    <span class="option-note">
      {verdict === "right" ? <Check /> : <Cross />}
      {verdict === "wrong" ? t("Your answer") : mine ? t("Right, and yours") : t("The right answer")}
    </span>
  );
}
