import { useEffect, useState } from "preact/hooks";
import { t } from "../lib/language";
import type { LogEntry } from "../lib/protocol";
import { logLines, readLog, timeOfDay } from "./log";
import { Sheet } from "./sheet";

/** What was done this evening, the latest first. */
export function Log({ session, version, close }: { session: string; version: number; close: () => void }) {
  const [entries, setEntries] = useState<LogEntry[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let gone = false;
    void readLog(session).then((reply) => {
      if (gone) return;
      if ("problem" in reply) setProblem(reply.problem);
      else setEntries(reply.entries);
    });
    return () => {
      gone = true;
    };
  }, [session, version]);
  const lines = logLines(entries ?? []);
  return (
    <Sheet id="log" title={t("What was done")} close={close}>
      {problem && <p role="alert">{problem}</p>}
      {entries?.length === 0 && <p class="aside">{t("Nothing yet.")}</p>}
      <ol class="log" tabIndex={0} aria-label={t("Entries")}>
        {entries?.map((entry, i) => (
          <li key={entry.version}>
            <time dateTime={entry.at}>{timeOfDay(entry.at)}</time>
            <span>{lines[i]}</span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
