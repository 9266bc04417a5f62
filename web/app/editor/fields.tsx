import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

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
  return left <= max / 10 ? `Room for ${left} more characters.` : undefined;
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
  unit: string;
  value: number;
  onInput: (value: number) => void;
  least: number;
  most: number;
  step: number;
  problem?: string | undefined;
}

/** A labelled number. What is out of bounds stays in the field, with the bounds beneath, and changes nothing. */
export function NumberField({ label, unit, value, onInput, least, most, step, problem }: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(String(value));
  useEffect(() => {
    if (Number(typed) !== value) setTyped(String(value));
  }, [value]);
  const fine = (text: string) => text.trim() !== "" && Number(text) >= least && Number(text) <= most && Number(text) % step === 0;
  const wrong = fine(typed) ? problem : `From ${least} to ${most}${step < 1 ? ", whole or half" : ""}.`;
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
          step={step}
          value={typed}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-about`}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            if (fine(text)) onInput(Number(text));
          }}
        />
        <span class="unit">{unit}</span>
      </span>
      <About id={`${id}-about`} problem={wrong} hint={undefined} />
    </div>
  );
}

interface GroupProps {
  legend: string;
  hint?: string;
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
