import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** How long, in milliseconds, one part of a long list is on screen. */
const turn = 6_000;

/**
 * Shows a list that is longer than its box in turns, as many whole rows at a time as fit; whenever the content changes, first its end, where
 * what is new is. The box must be positioned, and its li marked data-away must be hidden: they wait for their turn.
 */
export function useTurns(ref: RefObject<HTMLElement | null>, content: string): void {
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    let shown = showRows(box, Infinity);
    const sizes = new ResizeObserver(() => (shown = showRows(box, shown.first)));
    sizes.observe(box);
    const timer = setInterval(() => (shown = showRows(box, shown.next)), turn);
    return () => {
      sizes.disconnect();
      clearInterval(timer);
    };
  }, [content]);
}

/** Shows rows from the wanted one, or from the last with which the box is full; and says from which on the next turn does. */
function showRows(box: HTMLElement, wanted: number): { first: number; next: number } {
  const items = [...box.querySelectorAll("li")].map((item) => ({ item, top: item.offsetTop, height: item.offsetHeight }));
  const tops = [...new Set(items.map(({ top }) => top))];
  const [start = 0, second = Infinity] = tops;
  const room = box.clientHeight - start - (items[0]?.height ?? 0);
  const rows = Math.max(1, Math.floor(room / (second - start)) + 1);
  const first = Math.max(0, Math.min(wanted, tops.length - rows));
  const [from = 0, until = Infinity] = [tops[first], tops[first + rows]];
  box.scrollTop = from - start;
  for (const { item, top } of items) item.toggleAttribute("data-away", top < from || top >= until);
  return { first, next: until === Infinity ? 0 : first + rows };
}
