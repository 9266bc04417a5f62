interface ChoiceProps<T extends string> {
  name: string;
  legend: string;
  value: T;
  options: Record<T, string>;
  choose: (value: T) => void;
}

/** A few things of which one is shown. */
export function Choice<T extends string>({ name, legend, value, options, choose }: ChoiceProps<T>) {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{legend}</legend>
      {(Object.entries(options) as [T, string][]).map(([option, label]) => (
        <label key={option} class="segment">
          <input type="radio" name={name} checked={option === value} onChange={() => choose(option)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
