/** Alt and an arrow move one place up or down; what is nearest to the focus takes them. */
export function onMoveKey(event: KeyboardEvent, move: (step: -1 | 1) => void): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
  if (!step || !event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  event.stopPropagation();
  move(step);
}
