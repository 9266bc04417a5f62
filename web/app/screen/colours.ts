import type { Look } from "../lib/protocol";

/** The accent's colours in both schemes, as custom properties from which frame.css takes those of the scheme in use. */
export function colours(look: Look | undefined): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const scheme of ["light", "dark"] as const) {
    for (const [name, colour] of Object.entries(look?.[scheme] ?? {})) properties[`--${scheme}-${name}`] = colour;
  }
  return properties;
}
