import { useState } from "preact/hooks";
import { t } from "../lib/language";
import type { Drive } from "./use-drive";

interface RemovedProps {
  removed: readonly { id: string; name: string }[];
  drive: Drive;
}

/** Who was removed, and may be let back in with the points they had. */
export function Removed({ removed, drive }: RemovedProps) {
  return (
    <ul class="rows">
      {removed.map((participant) => (
        <Row key={participant.id} {...participant} drive={drive} />
      ))}
    </ul>
  );
}

/** Whose name somebody else has taken meanwhile needs another. */
function Row({ id, name, drive }: { id: string; name: string; drive: Drive }) {
  const [problem, setProblem] = useState<string>();
  const [taken, setTaken] = useState(false);
  const [other, setOther] = useState(name);
  const letBackIn = async (event: Event) => {
    event.preventDefault();
    const reply = await drive.run("letBackIn", taken ? { participant: id, name: other.trim() } : { participant: id });
    if (!reply || "version" in reply) return;
    setProblem(reply.problem);
    setTaken(reply.field === "name");
  };
  return (
    <li>
      <form class="choices" onSubmit={letBackIn}>
        {taken ? (
          <input class="input" value={other} aria-label={t("Another name for {name}", { name })} autocomplete="off" onInput={(event) => setOther(event.currentTarget.value)} />
        ) : (
          <bdi class="grow">{name}</bdi>
        )}
        <button type="submit" class="button button-small" disabled={drive.pending !== undefined}>
          {t("Let back in")}
        </button>
        <p class="field-problem" role="status">
          {problem}
        </p>
      </form>
    </li>
  );
}
