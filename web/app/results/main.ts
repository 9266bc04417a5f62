// The script of the results' log: the same sentences as in the console, at the reader's own time of day.
import { logLines, readLog, timeOfDay } from "../console/log";
import { t } from "../lib/language";

const list = document.querySelector<HTMLElement>("[data-session]");
if (list) void show(list, list.dataset.session ?? "");

async function show(list: HTMLElement, session: string): Promise<void> {
  const reply = await readLog(session);
  list.removeAttribute("aria-busy");
  if ("problem" in reply) list.replaceChildren(line(reply.problem, "aside"));
  else if (reply.entries.length === 0) list.replaceChildren(line(t("Nothing was done yet."), "aside"));
  else {
    const lines = logLines(reply.entries);
    list.replaceChildren(...reply.entries.map(({ at }, i) => entryLine(at, lines[i] ?? "")));
  }
}

function line(text: string, kind: string): HTMLElement {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = text;
  return item;
}

function entryLine(at: string, text: string): HTMLElement {
  const item = document.createElement("li");
  const time = document.createElement("time");
  time.dateTime = at;
  time.textContent = timeOfDay(at);
  const sentence = document.createElement("bdi");
  sentence.textContent = text;
  item.append(time, " ", sentence);
  return item;
}
