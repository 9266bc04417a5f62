import type { ComponentChildren } from "preact";
import { Check, Cross, Part } from "../lib/icons";
import { OptionMark, optionLetter } from "../lib/option-mark";
import type { PopularAnswer, Question, ScreenSnapshot, Verdict } from "../lib/protocol";
import { numericWords } from "../lib/rules";

/** What can be chosen and, from the reveal on, what was right and what the room answered. */
export function Answer({ question, snapshot }: { question: Question; snapshot: ScreenSnapshot }) {
  const options = question.options ?? [];
  switch (question.kind) {
    case "slide":
      return null;
    case "text":
    case "number":
      return <Typed snapshot={snapshot} />;
    case "ordering":
      return <Ordering options={options} right={snapshot.answer?.correct} />;
    default:
      return <Options snapshot={snapshot} options={options} scored={question.kind !== "poll"} />;
  }
}

interface OptionsProps {
  snapshot: ScreenSnapshot;
  options: string[];
  /** Whether some are right; none of a poll is. */
  scored: boolean;
}

function Options({ snapshot: { answer, distribution }, options, scored }: OptionsProps) {
  const most = Math.max(1, ...(distribution ?? []));
  return (
    <ol class="options">
      {options.map((option, i) => {
        const tally = distribution?.[i];
        const verdict = scored && answer ? (answer.correct?.includes(i) ? "right" : "wrong") : undefined;
        return (
          <Option key={i} index={i} text={option} verdict={verdict} tally={tally ?? ""}>
            {tally !== undefined && <span class="share" style={{ "--share": tally / most }} />}
          </Option>
        );
      })}
    </ol>
  );
}

/** From the reveal on in the right order, numbered. */
function Ordering({ options, right }: { options: string[]; right: number[] | undefined }) {
  if (!right) {
    return (
      <ol class="options">
        {options.map((option, i) => (
          <Option key={i} index={i} text={option} />
        ))}
      </ol>
    );
  }
  return (
    <ol class="options in-order">
      {right.map((i, place) => (
        <Option key={i} index={i} text={options[i] ?? ""}>
          <span class="order-place">{place + 1}</span>
        </Option>
      ))}
    </ol>
  );
}

interface OptionProps {
  index: number;
  text: string;
  verdict?: "right" | "wrong" | undefined;
  /** How many chose it; empty where that is to come. */
  tally?: number | "";
  children?: ComponentChildren;
}

function Option({ index, text, verdict, tally, children }: OptionProps) {
  return (
    <li class="option" data-option={index} data-verdict={verdict}>
      {children}
      <OptionMark index={index} />
      <span class="visually-hidden">{optionLetter(index)}</span>
      <span class="option-text" data-fit>
        {tally !== undefined && <span class="tally">{tally}</span>}
        <bdi>{text}</bdi>
      </span>
      {verdict === "right" && <Right />}
    </li>
  );
}

function Right() {
  return (
    <span class="verdict">
      <Check /> Right
    </span>
  );
}

function Typed({ snapshot: { answer, popular = [] } }: { snapshot: ScreenSnapshot }) {
  if (!answer) return null;
  const { right, leeway } = answer.numeric ? numericWords(answer.numeric) : { right: answer.accepted?.[0], leeway: "" };
  return (
    <>
      <p class="typed" data-verdict="right" data-fit>
        <Right /> <bdi>{right}</bdi> {leeway && <small>{leeway}</small>}
      </p>
      {popular.length > 0 && <Popular popular={popular} />}
    </>
  );
}

/** What the room typed most. */
function Popular({ popular }: { popular: PopularAnswer[] }) {
  return (
    <ul class="popular" aria-label="What was typed most">
      {popular.map(({ text, count, verdict }) => (
        <li key={text} data-verdict={verdict}>
          <Mark verdict={verdict} />
          <bdi data-fit>{text}</bdi>
          <strong class="tally">{count}</strong>
        </li>
      ))}
    </ul>
  );
}

const marks = { right: { icon: Check, word: "right" }, part: { icon: Part, word: "partly right" }, wrong: { icon: Cross, word: "wrong" } };

function Mark({ verdict }: { verdict: Verdict }) {
  const { icon: Icon, word } = marks[verdict];
  return (
    <>
      <Icon />
      <span class="visually-hidden">{word}</span>
    </>
  );
}
