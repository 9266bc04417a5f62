import type { ComponentChildren } from "preact";

/** The page's language. Node's tests have no page, and speak English. */
export const code = globalThis.document?.documentElement.lang || "en";

/** What to hand to Intl. Digits are written in one way everywhere, as on the join codes and clocks. */
export const locale = `${code}-u-nu-latn`;

/** Whether the page is written from right to left. */
export const rightToLeft = /^ar/.test(code);

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);
/** Letters that are written in the other direction. */
const foreign = rightToLeft ? /[A-Za-z\u00c0-\u04ff]/ : /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A text that a number changes: its English forms, in whose place the bundle of another language has that language's, by CLDR's plural categories. */
export interface Forms<S extends string = string> {
  one: string;
  other: S;
}

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<S extends string, Value> = string extends S ? [values?: Record<string, Value>] : [Names<S>] extends [never] ? [] : [values: Record<Names<S>, Value>];
/** Those of forms: n decides, whether it is shown or not. */
type Counted<S extends string, Value> = Record<Names<S>, Value> & { n: number };

/**
 * Says a text in the page's language. {name} in it stands for a value; of forms, {n} decides which is said. The text is written out in the call, in English: the
 * bundle of another language has its own words there (internal/words).
 */
export function t<const S extends string>(text: Forms<S>, values: Counted<S, string | number>): string;
export function t<const S extends string>(text: S, ...values: Values<S, string | number>): string;
export function t<S extends string>(text: S | Forms<S>, values: Record<string, string | number> = {}): string {
  return form(text, values.n).replace(/\{(\w+)\}/g, (_, name: string) => shown(values[name]!));
}

/** Says a text that has elements among its values. */
export function rich<const S extends string>(text: Forms<S>, values: Counted<S, ComponentChildren>): ComponentChildren[];
export function rich<const S extends string>(text: S, ...values: Values<S, ComponentChildren>): ComponentChildren[];
export function rich<S extends string>(text: S | Forms<S>, values: Record<string, ComponentChildren> = {}): ComponentChildren[] {
  return form(text, values.n)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? part : shownRich(values[part])));
}

function form(text: string | Forms, n: unknown): string {
  return typeof text === "string" ? text : ((text as unknown as Record<string, string>)[plurals.select(Number(n))] ?? text.other);
}

function shown(value: string | number): string {
  if (typeof value === "number") return numbers.format(value);
  // What is written in the other direction would put the words around it in disorder.
  return foreign.test(value) ? `\u2068${value}\u2069` : value;
}

function shownRich(value: ComponentChildren): ComponentChildren {
  return typeof value === "number" || typeof value === "string" ? shown(value) : value;
}
