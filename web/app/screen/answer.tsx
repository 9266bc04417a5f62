import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { Check, Cross, Part } from "../lib/icons";
import { t } from "../lib/language";
import { OptionMark, optionLetter } from "../lib/option-mark";
import type { PopularAnswer, Question, ScreenSnapshot, Verdict } from "../lib/protocol";
import { QuizLanguage, useOptionsLanguage } from "../lib/quiz-language";
import { numericWords, optionsOf } from "../lib/rules";
import { grouped } from "../lib/words";

/** What can be chosen and, from the reveal on, what was right and what the room answered. */
export function Answer({ question, snapshot }: { question: Question; snapshot: ScreenSnapshot }) {
  const options = optionsOf(question);
  const language = useOptionsLanguage(question);
  switch (question.kind) {
    case "slide":
      return null;
    case "text":
    case "number":
      return <Typed snapshot={snapshot} />;
    case "ordering":
      return <Ordering options={options} language={language} right={snapshot.answer?.correct} />;
    default:
      return <Options snapshot={snapshot} options={options} language={language} scored={question.kind !== "poll"} />;
  }
}

interface OptionsProps {
  snapshot: ScreenSnapshot;
  options: string[];
  language: string | undefined;
  /** Whether some are right; none of a poll is. */
  scored: boolean;
}

function Options({ snapshot: { answer, distribution }, options, language, scored }: OptionsProps) {
  const most = Math.max(1, ...(distribution ?? []));
  return (
    <ol class="options">
      {options.map((option, i) => {
        const tally = distribution?.[i];
        const verdict = scored && answer ? (answer.correct?.includes(i) ? "right" : "wrong") : undefined;
        return (
          <Option key={i} index={i} text={option} language={language} verdict={verdict} tally={tally ?? ""}>
            {tally !== undefined && <span class="share" style={{ "--share": tally / most }} />}
          </Option>
        );
      })}
    </ol>
  );
}

/** From the reveal on in the right order, numbered. */
function Ordering({ options, language, right }: { options: string[]; language: string | undefined; right: number[] | undefined }) {
  if (!right) {
    return (
      <ol class="options">
        {options.map((option, i) => (
          <Option key={i} index={i} text={option} language={language} />
        ))}
      </ol>
    );
  }
  return (
    <ol class="options in-order">
      {right.map((i, place) => (
        <Option key={i} index={i} text={options[i] ?? ""} language={language}>
          <span class="order-place">{place + 1}</span>
        </Option>
      ))}
    </ol>
  );
}

interface OptionProps {
  index: number;
  text: string;
  language: string | undefined;
  verdict?: "right" | "wrong" | undefined;
  /** How many chose it; empty where that is to come. */
  tally?: number | "";
  children?: ComponentChildren;
}

function Option({ index, text, language, verdict, tally, children }: OptionProps) {
  return (
    <li class="option" data-option={index} data-verdict={verdict}>
      {children}
      <OptionMark index={index} />
      <span class="visually-hidden">{optionLetter(index)}</span>
      <span class="option-text" data-fit>
        {tally !== undefined && <span class="tally">{tally === "" ? "" : grouped(tally)}</span>}
        <bdi lang={language}>{text}</bdi>
      </span>
      {verdict === "right" && <Right />}
    </li>
  );
}

function Right() {
  return (
    <span class="verdict">
      <Check /> {t("Right")}
    </span>
  );
}

function Typed({ snapshot: { answer, popular = [] } }: { snapshot: ScreenSnapshot }) {
  const language = useContext(QuizLanguage);
  if (!answer) return null;
  const { right, leeway } = answer.numeric ? numericWords(answer.numeric) : { right: answer.accepted?.[0], leeway: "" };
  return (
    <>
      <p class="typed" data-verdict="right" data-fit>
        <Right /> <bdi lang={language}>{right}</bdi> {leeway && <small>{leeway}</small>}
      </p>
      {popular.length > 0 && <Popular popular={popular} />}
    </>
  );
}

/** What the room typed most. */
function Popular({ popular }: { popular: PopularAnswer[] }) {
  return (
    <ul class="popular" aria-label={t("What was typed most")}>
      {popular.map(({ text, count, verdict }) => (
        <li key={text} data-verdict={verdict}>
          <Mark verdict={verdict} />
          <strong class="tally">{grouped(count)} ×</strong>
          <bdi data-fit>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

const marks = { right: { icon: Check, word: t("right") }, part: { icon: Part, word: t("partly right") }, wrong: { icon: Cross, word: t("wrong") } };

function Mark({ verdict }: { verdict: Verdict }) {
  const { icon: Icon, word } = marks[verdict];
  return (
    <>
      <Icon />
      <span class="visually-hidden">{word}</span>
    </>
  );
}
