// Putting options in order, by tapping or by moving them. An order under way is the options tapped so far, by index.

/** Whether every option has its place. */
export function isComplete(placed: readonly number[], count: number): boolean {
  return placed.length === count;
}

/** The options from top to bottom as they are shown: as they came until all have their place, so that nothing moves under a finger. */
export function rows(placed: readonly number[], count: number): number[] {
  return isComplete(placed, count) ? [...placed] : Array.from({ length: count }, (_, index) => index);
}

/** A tapped option comes next; one that has its place already gives it up. */
export function tapped(placed: readonly number[], option: number): number[] {
  return placed.includes(option) ? placed.filter((other) => other !== option) : [...placed, option];
}

/** What is shown with the row at from moved to another place. Whoever moves a row means the whole list as it stands. */
export function moved(placed: readonly number[], count: number, from: number, to: number): number[] {
  const list = rows(placed, count);
  list.splice(to, 0, ...list.splice(from, 1));
  return list;
}

/** A row on the screen, in pixels from the top. */
export interface Place {
  top: number;
  height: number;
}

/** Where a row that is dragged so far from its place would come to lie: past every other row whose middle its own has passed. */
export function dropped(places: readonly Place[], from: number, distance: number): number {
  const middle = ({ top, height }: Place) => top + height / 2;
  const dragged = places[from];
  if (!dragged) return from;
  return places.filter((place, i) => i !== from && middle(place) < middle(dragged) + distance).length;
}
