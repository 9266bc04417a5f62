import { locale, rightToLeft, t } from "./language";

/** Signs of no direction stay beside their digits where the words around them run the other way. */
const together = rightToLeft ? "\u200e" : "";

/** Points as people write them: 4½, not 4.5. */
export function points(n: number): string {
  const whole = Math.floor(Math.abs(n));
  const half = n % 1 !== 0;
  return together + (n < 0 ? "−" : "") + (whole || !half ? grouped(whole) : "") + (half ? "½" : "") + together;
}

/** Points with their noun: 1 point, 4½ points. */
export function pointsLong(n: number): string {
  if (Math.abs(n) === 0.5) return t("{half} point", { half: points(n) });
  return t({ one: "{points} point", other: "{points} points" }, { n, points: points(n) });
}

/** A number as an answer, with its unit: 2,850 km. Years keep together: 1822. */
export function numberWords(value: number, unit = ""): string {
  const year = Number.isInteger(value) && value >= 1000 && value < 3000 && unit === "";
  const digits = value.toLocaleString(locale, { maximumFractionDigits: 10, useGrouping: !year }).replace("-", "−");
  return unit === "" ? digits : `${digits} ${unit}`;
}

export function players(n: number): string {
  return t({ one: "{n} player", other: "{n} players" }, { n });
}

export function answers(n: number): string {
  return t({ one: "{n} answer", other: "{n} answers" }, { n });
}

/** A whole number with its thousands apart: 1,200. */
export function grouped(n: number): string {
  return n.toLocaleString(locale);
}

/** A rank: 1st, 2nd, 3rd, 11th. A language that writes all of them alike translates all of them alike. */
export function ordinal(n: number): string {
  switch (ordinals.select(n)) {
    case "one":
      return t("{n}st", { n });
    case "two":
      return t("{n}nd", { n });
    case "few":
      return t("{n}rd", { n });
    default:
      return t("{n}th", { n });
  }
}

const ordinals = new Intl.PluralRules(locale, { type: "ordinal" });

/** The part of a join address that people type: quiz.example of https://quiz.example/j/BCDF23. */
export function joinHost(joinURL: string): string {
  return new URL(joinURL).host;
}
