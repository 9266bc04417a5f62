/** The arrow keys walk in a list, from one of its rows' controls to the next. */
export function walk(event: KeyboardEvent, controls: string): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(controls)];
  const at = all.indexOf(event.target as HTMLElement);
  if (step === 0 || at < 0) return;
  event.preventDefault();
  all[at + step]?.focus();
}
