/** Points as people write them: 4½, not 4.5. */
export function pointsText(points: number): string {
  const whole = Math.trunc(points);
  const half = points !== whole ? "½" : "";
  if (half && whole === 0) return points < 0 ? "−½" : "½";
  return `${points < 0 ? "−" : ""}${Math.abs(whole)}${half}`;
}

/** A count with its noun: 1 point, 2 points, ½ point. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${pointsText(n)} ${Math.abs(n) <= 1 && n !== 0 ? one : many}`;
}

/** A rank: 1st, 2nd, 3rd, 11th. */
export function ordinal(n: number): string {
  const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
  return n + (suffixes[ordinals.select(n)] ?? "th");
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
