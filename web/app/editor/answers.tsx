import type { ComponentChildren } from "preact";
import { Cross } from "../lib/icons";
import { OptionMark, optionLetter } from "../lib/option-mark";
import { bounds, replaced, without } from "./draft";
import { Group } from "./fields";
import { problemAt } from "./problems";
import type { QuestionFormProps } from "./question-form";

/** The options of a single choice, with a radio button for the right one. */
export function OptionFields({ question, path, change, problems }: QuestionFormProps) {
  const { options, correct } = question;
  const { least, most } = bounds.options;
  const remove = (index: number) => change({ options: without(options, index), correct: after(correct, index, options.length - 1) });
  return (
    <Group
      legend="Options"
      hint="Choose the right one."
      problem={problemAt(problems, `${path}.options`) ?? problemAt(problems, `${path}.correct`)}
    >
      <ol class="entries">
        {options.map((option, i) => (
          <Entry
            key={i}
            name={`Option ${optionLetter(i)}`}
            value={option}
            max={bounds.option}
            problem={problemAt(problems, `${path}.options[${i}]`)}
            onInput={(value) => change({ options: replaced(options, i, () => value) })}
            remove={options.length > least ? () => remove(i) : undefined}
          >
            <input
              type="radio"
              class="is-right"
              name={`right-${question.key}`}
              checked={correct === i}
              aria-label={`Option ${optionLetter(i)} is right`}
              onChange={() => change({ correct: i })}
            />
            <OptionMark index={i} />
          </Entry>
        ))}
      </ol>
      {options.length < most && <Add label="Add an option" onClick={() => change({ options: [...options, ""] })} />}
    </Group>
  );
}

/** Where the right option is once another, or it, was removed. */
function after(correct: number, removed: number, left: number): number {
  return Math.min(correct > removed ? correct - 1 : correct, left - 1);
}

export function TrueFalseFields({ question, path, change, problems }: QuestionFormProps) {
  return (
    <Group legend="What is right?" problem={problemAt(problems, `${path}.correct`)}>
      <div class="kinds">
        {["True", "False"].map((label, i) => (
          <label key={label} class="kind">
            <input type="radio" name={`right-${question.key}`} checked={question.correct === i} onChange={() => change({ correct: i })} />
            {label}
          </label>
        ))}
      </div>
    </Group>
  );
}

/** The typed answers that count as right. */
export function AcceptedFields({ question: { accepted }, path, change, problems }: QuestionFormProps) {
  return (
    <Group
      legend="Accepted answers"
      hint="The first is the one that is shown. Capitals, accents and small typing mistakes are forgiven."
      problem={problemAt(problems, `${path}.accepted`)}
    >
      <ol class="entries">
        {accepted.map((text, i) => (
          <Entry
            key={i}
            name={`Accepted answer ${i + 1}`}
            value={text}
            max={bounds.accepted}
            problem={problemAt(problems, `${path}.accepted[${i}]`)}
            onInput={(value) => change({ accepted: replaced(accepted, i, () => value) })}
            remove={accepted.length > 1 ? () => change({ accepted: without(accepted, i) }) : undefined}
          />
        ))}
      </ol>
      {accepted.length < bounds.acceptedMost && (
        <Add label="Accept another answer" onClick={() => change({ accepted: [...accepted, ""] })} />
      )}
    </Group>
  );
}

interface EntryProps {
  name: string;
  value: string;
  max: number;
  problem: string | undefined;
  onInput: (value: string) => void;
  remove: (() => void) | undefined;
  children?: ComponentChildren;
}

/** One line of a list: what stands before it, its text, a button to remove it, and what is wrong with it. */
function Entry({ name, value, max, problem, onInput, remove, children }: EntryProps) {
  return (
    <li class="entry">
      {children}
      <input
        class="input"
        value={value}
        maxLength={max}
        aria-label={name}
        aria-invalid={problem !== undefined}
        autocomplete="off"
        dir="auto"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {remove && (
        <button type="button" class="button button-quiet button-icon" aria-label={`Remove ${name.toLowerCase()}`} onClick={remove}>
          <Cross />
        </button>
      )}
      {problem && <p class="field-problem">{problem}</p>}
    </li>
  );
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="button button-quiet add" onClick={onClick}>
      + {label}
    </button>
  );
}
