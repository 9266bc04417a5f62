// Dragging by mouse, pen or finger. What is dragged stays where it is until it is dropped; a line shows where it would go.

/** Where something can be dropped: at the upper or lower edge of an element. */
export interface Slot<T> {
  element: HTMLElement;
  edge: "before" | "after";
  to: T;
}

/** The slot whose edge is nearest to a height on the page. */
export function nearest<T>(slots: readonly Slot<T>[], y: number): Slot<T> | undefined {
  let best: Slot<T> | undefined;
  let least = Infinity;
  for (const slot of slots) {
    const { top, bottom } = slot.element.getBoundingClientRect();
    const distance = Math.abs(y - (slot.edge === "before" ? top : bottom));
    if (distance < least) [best, least] = [slot, distance];
  }
  return best;
}

const slack = 5; // pixels that a press may move and still be a press

/**
 * Follows the pointer that was pressed on a handle until it is let go, and then tells the slot it was let go at. Escape, or a pointer that
 * the browser takes away, ends it without.
 */
export function drag<T>(press: PointerEvent, scroller: HTMLElement | null, slots: () => Slot<T>[], drop: (to: T) => void): void {
  const handle = press.currentTarget as HTMLElement;
  const item = handle.closest<HTMLElement>("[data-drag]");
  let marked: Slot<T> | undefined;
  let began = false;
  const mark = (slot: Slot<T> | undefined) => {
    if (marked) delete marked.element.dataset.drop;
    marked = slot;
    if (slot) slot.element.dataset.drop = slot.edge;
  };
  const move = (event: PointerEvent) => {
    if (!began && Math.abs(event.clientY - press.clientY) < slack) return;
    began = true;
    if (item) item.dataset.drag = "on";
    scrollAlong(scroller, event.clientY);
    mark(nearest(slots(), event.clientY));
  };
  const end = () => {
    mark(undefined);
    if (item) item.dataset.drag = "";
    handle.removeEventListener("pointermove", move);
    handle.removeEventListener("pointerup", up);
    handle.removeEventListener("pointercancel", end);
    document.removeEventListener("keydown", escape, true);
  };
  const up = () => {
    const to = marked;
    end();
    if (to) drop(to.to);
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  handle.setPointerCapture(press.pointerId);
  handle.addEventListener("pointermove", move);
  handle.addEventListener("pointerup", up);
  handle.addEventListener("pointercancel", end);
  document.addEventListener("keydown", escape, true);
}

const margin = 48; // pixels from the edge of a list where it scrolls
const stride = 12;

function scrollAlong(scroller: HTMLElement | null, y: number): void {
  if (!scroller) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  if (y < top + margin) scroller.scrollBy(0, -stride);
  else if (y > bottom - margin) scroller.scrollBy(0, stride);
}
