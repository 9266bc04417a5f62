/** Points as people write them: 4½, not 4.5. */
export function points(n: number): string {
  const whole = Math.floor(Math.abs(n));
  return (n < 0 ? "−" : "") + (whole || n % 1 === 0 ? whole : "") + (n % 1 === 0 ? "" : "½");
}

/** Points with their noun: 1 point, 4½ points. */
export function pointsLong(n: number): string {
  return `${points(n)} ${Math.abs(n) === 1 || Math.abs(n) === 0.5 ? "point" : "points"}`;
}

/** A number as an answer, with its unit: 2,850 km. Years keep together: 1822. */
export function numberWords(value: number, unit = ""): string {
  const year = Number.isInteger(value) && value >= 1000 && value < 3000 && unit === "";
  const digits = value.toLocaleString("en", { maximumFractionDigits: 10, useGrouping: !year }).replace("-", "−");
  return unit === "" ? digits : `${digits} ${unit}`;
}

/** A whole number with its noun: 1 answer, 2 answers. */
export function plural(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function players(n: number): string {
  return plural(n, "player", "players");
}

/** A whole number with its thousands apart: 1,200. */
export function grouped(n: number): string {
  return n.toLocaleString("en");
}

/** A rank: 1st, 2nd, 3rd, 11th. */
export function ordinal(n: number): string {
  const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
  return n + (suffixes[ordinals.select(n)] ?? "th");
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/** The part of a join address that people type: quiz.example of https://quiz.example/j/BCDF23. */
export function joinHost(joinURL: string): string {
  return new URL(joinURL).host;
}
