/** How many places to offer next: up to the next fifty, as far as that is allowed. Where nothing more is, as far as this page knows, the server may know better. */
export function roomier(capacity: number, allowed: number): number {
  const next = (Math.floor(capacity / 50) + 1) * 50;
  return capacity < allowed ? Math.min(next, allowed) : next;
}
