// In the words of these pages, whatever the reader's language; only the place in time is the reader's.
const shapes: Record<string, Intl.DateTimeFormat> = {
  clock: new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }),
  day: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" }),
  weekday: new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
};

/** Shows times and days as they were where the reader is; the page gives them in UTC. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const shape = shapes[time.dataset.local ?? ""];
    if (shape) time.textContent = shape.format(new Date(time.dateTime));
  }
}
