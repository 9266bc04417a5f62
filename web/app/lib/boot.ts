import type { Boot } from "./protocol";

/** The page's first data, which the server wrote into it. */
export function boot(): Boot {
  return JSON.parse(document.getElementById("boot")?.textContent ?? "null") as Boot;
}

/** What the app is drawn into, emptied of what the page says where this script does not come. */
export function emptied(): HTMLElement {
  const root = document.getElementById("app")!;
  root.replaceChildren();
  return root;
}
