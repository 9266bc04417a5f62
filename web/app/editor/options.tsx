import { useRef } from "preact/hooks";
import { Grip } from "../lib/icons";
import { t } from "../lib/language";
import { OptionMark, optionLetter } from "../lib/option-mark";
import type { AnswersProps } from "./answers";
import { bounds, type DraftOption, moved, newOption, replaced, rightOptions, without } from "./draft";
import { drag, type Slot } from "./drag";
import { Add, Entry } from "./entries";
import { CheckField, Group } from "./fields";
import { problemAt } from "./problems";

const words = {
  single: { legend: t("Options"), hint: t("Choose the right one.") },
  multiple: { legend: t("Options"), hint: t("Tick all that are right.") },
  ordering: { legend: t("In the right order, from first to last"), hint: t("Players get them shuffled.") },
  poll: { legend: t("Options"), hint: undefined },
};

/** What players choose from, or put in order. The options can be dragged, and moved by Alt and the arrows. */
export function OptionFields({ question, path, change, problems, say }: AnswersProps) {
  const list = useRef<HTMLOListElement>(null);
  const { options, partial } = question;
  const kind = question.kind as keyof typeof words;
  const { least, most } = bounds.options;
  const name = (index: number) => (kind === "ordering" ? t("Place {number}", { number: index + 1 }) : t("Option {letter}", { letter: optionLetter(index) }));
  const removal = (index: number) =>
    kind === "ordering" ? t("Remove place {number}", { number: index + 1 }) : t("Remove option {letter}", { letter: optionLetter(index) });
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= options.length) return;
    change({ options: moved(options, from, to) });
    say(t("Moved: {what}", { what: name(to) }));
  };
  const lift = (event: PointerEvent, from: number) => {
    event.preventDefault();
    drag(event, null, () => slots(list.current), (to) => move(from, to > from ? to - 1 : to));
  };
  return (
    <Group
      legend={words[kind].legend}
      hint={words[kind].hint}
      problem={problemAt(problems, `${path}.options`) ?? problemAt(problems, `${path}.correct`)}
    >
      <ol class="entries" ref={list}>
        {options.map((option, i) => (
          <Entry
            key={option.key}
            name={name(i)}
            value={option.text}
            max={bounds.option}
            problem={problemAt(problems, `${path}.options[${i}]`)}
            onInput={(text) => change({ options: replaced(options, i, (old) => ({ ...old, text })) }, `option ${option.key}`)}
            move={(step) => move(i, i + step)}
            removal={removal(i)}
            remove={options.length > least ? () => change({ options: without(options, i) }) : undefined}
          >
            <span class="grip" aria-hidden="true" title={t("Drag to move")} onPointerDown={(event) => event.button === 0 && lift(event, i)}>
              <Grip />
            </span>
            {(kind === "single" || kind === "multiple") && <RightMark {...{ question, change, kind, option, name: name(i), index: i }} />}
            {kind === "ordering" ? <span class="place tabular">{i + 1}</span> : <OptionMark index={i} />}
          </Entry>
        ))}
      </ol>
      {options.length < most && <Add label={t("Add an option")} onClick={() => change({ options: [...options, newOption()] })} />}
      {(kind === "multiple" || kind === "ordering") && (
        <CheckField
          label={t("Part of the points for a part of the answer")}
          checked={partial}
          onChange={(partial) => change({ partial })}
          hint={kind === "multiple" ? t("Wrong ticks take right ones away. Otherwise it is all or nothing.") : t("For each in its right place. Otherwise it is all or nothing.")}
        />
      )}
    </Group>
  );
}

interface RightMarkProps extends Pick<AnswersProps, "question" | "change"> {
  kind: "single" | "multiple";
  option: DraftOption;
  index: number;
  name: string;
}

function RightMark({ question, change, kind, option, index, name }: RightMarkProps) {
  const { options } = question;
  const choose = (right: boolean) => ({
    options: kind === "single" ? options.map((old) => ({ ...old, right: old === option })) : replaced(options, index, (old) => ({ ...old, right })),
  });
  return (
    <input
      type={kind === "single" ? "radio" : "checkbox"}
      class="is-right"
      name={`right-${question.key}`}
      checked={rightOptions(question).includes(index)}
      aria-label={t("{option} is right", { option: name })}
      onChange={(event) => change(choose(event.currentTarget.checked))}
    />
  );
}

function slots(list: HTMLElement | null): Slot<number>[] {
  const entries = [...(list?.querySelectorAll<HTMLElement>(".entry") ?? [])];
  const before = entries.map((element, to): Slot<number> => ({ element, edge: "before", to }));
  const last = entries.at(-1);
  return last ? [...before, { element: last, edge: "after", to: entries.length }] : before;
}
