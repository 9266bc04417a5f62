import type { ComponentChildren } from "preact";
import { locale, t } from "./language";

/** How things stand in one line: side by side, "A, B", or to choose from, "A or B". */
type Joined = "unit" | "disjunction";

/** Several things in one line, as the page's language has it. */
export function list(items: readonly string[], joined: Joined): string {
  return new Intl.ListFormat(locale, { type: joined }).format(items.map((item) => t("{item}", { item })));
}

/** Several elements in one line, each as show makes it. */
export function richList(items: readonly string[], joined: Joined, show: (item: string, index: number) => ComponentChildren): ComponentChildren[] {
  let index = 0;
  return new Intl.ListFormat(locale, { type: joined }).formatToParts(items).map(({ type, value }) => (type === "element" ? show(value, index++) : value));
}
