import { locale } from "../lib/language";

// In the words of the page, whose English puts the day first; the place in time is the reader's.
const said = locale.startsWith("en") ? "en-GB" : locale;

const shapes: Record<string, Intl.DateTimeFormat> = {
  clock: new Intl.DateTimeFormat(said, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  date: new Intl.DateTimeFormat(said, { day: "numeric", month: "long" }),
  day: new Intl.DateTimeFormat(said, { day: "numeric", month: "long", year: "numeric" }),
  weekday: new Intl.DateTimeFormat(said, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
};

/** Shows times and days as they were where the reader is; the page gives them in UTC. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const shape = shapes[time.dataset.local ?? ""];
    if (shape) time.textContent = shape.format(new Date(time.dateTime));
  }
}
