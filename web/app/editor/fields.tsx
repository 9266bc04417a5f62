import type { ComponentChildren } from "preact";
import { useContext, useEffect, useId, useState } from "preact/hooks";
import { t } from "../lib/language";
import { QuizLanguage } from "../lib/quiz-language";
import { bounds } from "./draft";
import { tagsOf } from "./tags";

interface TextFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** The most characters the server takes. */
  max: number;
  problem?: string | undefined;
  hint?: string | undefined;
  /** More than one makes room for several lines. */
  rows?: number;
}

/** A labelled text with what is wrong with it beneath. How much room is left is said when it gets tight. */
export function TextField({ label, value, onInput, max, problem, hint, rows = 1 }: TextFieldProps) {
  const id = useId();
  const props = {
    id,
    class: "input",
    value,
    maxLength: max,
    lang: useContext(QuizLanguage),
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}-about`,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows > 1 ? <textarea {...props} rows={rows} dir="auto" /> : <input {...props} autocomplete="off" dir="auto" />}
      <About id={`${id}-about`} problem={problem} hint={room(value, max) ?? hint} />
    </div>
  );
}

function room(value: string, max: number): string | undefined {
  const left = max - value.length;
  return left <= max / 10 ? t({ one: "Room for {n} more character.", other: "Room for {n} more characters." }, { n: left }) : undefined;
}

function About({ id, problem, hint }: { id: string; problem: string | undefined; hint: string | undefined }) {
  return (
    <div id={id} class="about">
      {problem && <p class="field-problem">{problem}</p>}
      {hint && <p class="field-hint">{hint}</p>}
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  unit?: string;
  /** Absent while none was written; then the field may also be emptied again. */
  value: number | undefined;
  onInput: (value: number) => void;
  onEmpty?: () => void;
  least: number;
  most: number;
  /** Absent: any number. */
  step?: number;
  problem?: string | undefined;
  hint?: string | undefined;
  /** What can be done with the number besides. */
  children?: ComponentChildren;
}

/** A labelled number. What is out of bounds stays in the field, with the bounds beneath, and changes nothing. */
export function NumberField({ label, unit, value, onInput, onEmpty, least, most, step, problem, hint, children }: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(String(value ?? ""));
  const empty = typed.trim() === "";
  useEffect(() => {
    if (value === undefined ? !empty : empty || Number(typed) !== value) setTyped(String(value ?? ""));
  }, [value]);
  const fine = (text: string) => text.trim() !== "" && Number(text) >= least && Number(text) <= most && (step === undefined || Number(text) % step === 0);
  const wrong = fine(typed) || (empty && onEmpty) ? problem : outOf(least, most, step);
  return (
    <div class="field number">
      <label for={id}>{label}</label>
      <span class="with-unit">
        <input
          id={id}
          class="input"
          type="number"
          inputMode="decimal"
          min={least}
          max={most}
          step={step ?? "any"}
          value={typed}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-about`}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            if (fine(text)) onInput(Number(text));
            else if (text.trim() === "") onEmpty?.();
          }}
        />
        {unit && <span class="unit">{unit}</span>}
        {children}
      </span>
      <About id={`${id}-about`} problem={wrong} hint={hint} />
    </div>
  );
}

/** What stands behind a number of points. */
export function pointsUnit(points: number): string {
  return points === 0.5 ? t("point") : t({ one: "point", other: "points" }, { n: points });
}

function outOf(least: number, most: number, step: number | undefined): string {
  if (step === undefined) return t("Write a number.");
  return step < 1 ? t("From {least} to {most}, whole or half.", { least, most }) : t("From {least} to {most}.", { least, most });
}

interface CheckFieldProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: string;
  problem?: string | undefined;
}

/** Something that is so or not. */
export function CheckField({ label, checked, onChange, hint, problem }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={`${id}-about`}
        aria-invalid={problem !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <About id={`${id}-about`} problem={problem} hint={hint} />
    </div>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
  hint?: string;
  problem?: string | undefined;
}

export function SelectField({ label, value, options, onChange, hint, problem }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} class="input" value={value} aria-describedby={`${id}-about`} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <About id={`${id}-about`} problem={problem} hint={hint} />
    </div>
  );
}

interface TagsFieldProps {
  value: readonly string[];
  onInput: (tags: string[]) => void;
  problem?: string | undefined;
  hint: string;
}

/** Tags, as words with commas between them. */
export function TagsField({ value, onInput, problem, hint }: TagsFieldProps) {
  const [typed, setTyped] = useState(value.join(", "));
  useEffect(() => {
    if (tagsOf(typed).join("\n") !== value.join("\n")) setTyped(value.join(", "));
  }, [value]);
  return (
    <TextField
      label={t("Tags")}
      value={typed}
      onInput={(text) => {
        setTyped(text);
        onInput(tagsOf(text));
      }}
      max={(bounds.tag + 2) * bounds.tags}
      hint={hint}
      problem={problem}
    />
  );
}

interface GroupProps {
  legend: string;
  hint?: string | undefined;
  problem?: string | undefined;
  children: ComponentChildren;
}

/** Fields that belong together. */
export function Group({ legend, hint, problem, children }: GroupProps) {
  const id = useId();
  return (
    <fieldset class="group" aria-describedby={id}>
      <legend>{legend}</legend>
      <About id={id} problem={problem} hint={hint} />
      {children}
    </fieldset>
  );
}
