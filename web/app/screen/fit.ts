import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** The scales between which a box's content is fitted. 1 is the least size that is legible at ten metres. */
export interface FitRange {
  min: number;
  max: number;
  /** The least at which words stay whole; without it that is 1, for nothing is worth being illegible. */
  whole?: number;
  /** Finds the box, fitted before, than whose content this one's must not be larger. */
  below?: (box: HTMLElement) => HTMLElement | null | undefined;
}

const steps = 6;

/**
 * Gives the box the custom property --fit: the largest scale at which nothing in it overflows, or one hardly smaller that it had before. Words stay whole at
 * scale 1 and above, or as the range says; only content too long for that is broken and made smaller. Elements marked data-fit must be
 * as wide as their own text. With columns, the number that allows the larger scale is set as data-columns; the first wins a tie.
 * Measures again when the box changes size, when the fonts arrive, and when content does.
 */
export function useFit(ref: RefObject<HTMLElement | null>, range: FitRange, content: string, columns?: readonly number[]): void {
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const measure = () => fit(box, range, columns);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    let gone = false;
    void document.fonts.ready.then(() => gone || measure());
    return () => {
      gone = true;
      sizes.disconnect();
    };
  }, [content]);
}

/** By how much a scale may grow before it is worth looking for a better one. */
const hardly = 1.05;

function fit(box: HTMLElement, { below, ...range }: FitRange, columns: readonly number[] = []): void {
  const above = below?.(box);
  if (above) range.max = Math.min(range.max, scaleOf(above));
  if (columns.length === 0 && stillFits(box, range)) return;
  let best: Fitting & { columns: number | undefined } = { scale: 0, whole: false, columns: columns[0] };
  for (const count of columns.length > 0 ? columns : [undefined]) {
    if (count !== undefined) box.dataset.columns = String(count);
    const found = largest(box, range);
    if (found.scale > best.scale * 1.02) best = { ...found, columns: count };
  }
  if (best.columns !== undefined) box.dataset.columns = String(best.columns);
  box.classList.toggle("whole-words", best.whole);
  box.style.setProperty("--fit", String(best.scale));
}

/** Whether the scale that the box has is still the one, as it mostly is when a name is added to many: one to three measurements instead of ten. */
function stillFits(box: HTMLElement, { min, max }: FitRange): boolean {
  const scale = scaleOf(box);
  if (scale === 0 || scale > max) return false;
  if (!fits(box, scale)) return scale === min;
  const larger = Math.min(max, scale * hardly);
  if (larger > scale && fits(box, larger)) return false;
  return fits(box, scale);
}

/** 0 before a box was fitted. */
function scaleOf(box: HTMLElement): number {
  return Number(box.style.getPropertyValue("--fit"));
}

interface Fitting {
  scale: number;
  /** Whether it fits with its words whole. */
  whole: boolean;
}

function largest(box: HTMLElement, { min, max, whole = 1 }: FitRange): Fitting {
  const floor = Math.min(Math.max(min, whole), max);
  box.classList.add("whole-words");
  if (fits(box, floor)) return { scale: search(box, floor, max), whole: true };
  box.classList.remove("whole-words");
  return { scale: search(box, min, floor), whole: false };
}

function search(box: HTMLElement, low: number, high: number): number {
  if (fits(box, high)) return high;
  for (let i = 0; i < steps; i++) {
    const middle = (low + high) / 2;
    if (fits(box, middle)) low = middle;
    else high = middle;
  }
  return low;
}

function fits(box: HTMLElement, scale: number): boolean {
  const wanted = String(scale);
  if (box.style.getPropertyValue("--fit") !== wanted) box.style.setProperty("--fit", wanted);
  return !tooTall(box) && ![box, ...box.querySelectorAll<HTMLElement>("[data-fit]")].some(tooWide);
}

// A pixel of tolerance: scroll sizes are rounded up, client sizes down.
const tooTall = (element: HTMLElement) => element.scrollHeight > element.clientHeight + 1;
const tooWide = (element: HTMLElement) => element.scrollWidth > element.clientWidth + 1;
