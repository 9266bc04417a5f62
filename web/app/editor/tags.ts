import { bounds } from "./draft";

/** The tags in what was typed: between commas, each once, no longer and no more than may be. */
export function tagsOf(typed: string): string[] {
  const words = typed.split(",").map((word) => [...word.trim().replace(/\s+/g, " ")].slice(0, bounds.tag).join(""));
  return [...new Set(words)].filter((word) => word !== "").slice(0, bounds.tags);
}
