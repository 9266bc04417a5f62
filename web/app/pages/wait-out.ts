import { minutes } from "../lib/minutes";
import { retryWait } from "../lib/schedule";

/**
 * Counts a limit's wait down in the element with data-left, and then tries again: data-again says where, and when it is empty the
 * way is back to the form, which still holds what was typed.
 */
export function waitOut(refused: HTMLElement): void {
  // A reload keeps the history's state: how often this page was refused in a row.
  const attempt = Number((history.state as { attempt?: number } | null)?.attempt ?? 0);
  const until = Date.now() + retryWait(Number(refused.dataset.retryAfter), attempt, Math.random);
  const left = refused.querySelector("[data-left]")!;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    clearTimeout(timer); // a tick by the clock and one by a page that is looked at again must not become two counts
    const seconds = Math.ceil((until - Date.now()) / 1_000);
    left.textContent = minutes(Math.max(0, seconds));
    if (seconds > 0) return void (timer = setTimeout(tick, 250));
    document.removeEventListener("visibilitychange", tick);
    tryAgain(refused.dataset.again ?? "", attempt);
  };
  document.addEventListener("visibilitychange", tick);
  tick();
}

function tryAgain(again: string, attempt: number): void {
  if (again === "") return history.back();
  if (again !== location.pathname + location.search) return location.replace(again);
  history.replaceState({ attempt: attempt + 1 }, "");
  location.reload();
}
