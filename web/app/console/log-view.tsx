import { useEffect, useState } from "preact/hooks";
import type { LogEntry } from "../lib/protocol";
import { read } from "./ask";
import { logLines } from "./log";
import { Sheet } from "./sheet";

/** What was done this evening, the latest first. */
export function Log({ session, version, close }: { session: string; version: number; close: () => void }) {
  const [entries, setEntries] = useState<LogEntry[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let gone = false;
    void read(session, "log", isLog).then((reply) => {
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
    <Sheet id="log" title="What was done" close={close}>
      {problem && <p role="alert">{problem}</p>}
      {entries?.length === 0 && <p class="aside">Nothing yet.</p>}
      <ol class="log" tabIndex={0} aria-label="Entries">
        {entries?.map((entry, i) => (
          <li key={entry.version}>
            <time dateTime={entry.at}>{clock(entry.at)}</time>
            <bdi>{lines[i]}</bdi>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}

function isLog(reply: unknown): reply is { entries: LogEntry[] } {
  return Array.isArray((reply as { entries?: unknown } | undefined)?.entries);
}

function clock(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}
