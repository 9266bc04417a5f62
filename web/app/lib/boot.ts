import type { Boot } from "./protocol";

/** The page's first data, which the server wrote into it. */
export function boot(): Boot {
  return JSON.parse(document.getElementById("boot")?.textContent ?? "null") as Boot;
}
