import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { motion } from "../lib/motion";

/**
 * Lets each row slide from the place it had when standings were last shown. Rows carry data-was, their former rank;
 * those without one, or with a rank outside the list, come from below.
 */
export function useMoves(list: RefObject<HTMLElement | null>, version: string): void {
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    const tops = rows.map((row) => row.offsetTop);
    const below = (tops.at(-1) ?? 0) + (rows.at(-1)?.offsetHeight ?? 0);
    rows.forEach((row, i) => {
      const from = tops[Number(row.dataset.was ?? Infinity) - 1] ?? below;
      const distance = from - (tops[i] ?? 0);
      if (distance !== 0) motion(row, [{ transform: `translateY(${distance}px)` }, { transform: "none" }]);
    });
  }, [version]);
}
