import { useState } from "preact/hooks";
import { Cross } from "../lib/icons";
import { t } from "../lib/language";
import { type ChosenFile, type Import, type ImportRow, tally } from "./files";
import { FoundRow } from "./found-row";

interface FileCardProps {
  file: ChosenFile;
  take: (rows: number[], wanted: boolean) => void;
  remove: () => void;
}

/** A file, and what became of each of its rows. */
export function FileCard({ file, take, remove }: FileCardProps) {
  const { name, state, without } = file;
  return (
    <section class="file" data-state={state.name} aria-label={name}>
      <header class="file-top">
        <div class="file-name">
          <h2>
            <bdi>{name}</bdi>
          </h2>
          {state.name === "read" && <p class="file-format">{t("Read as: {format}", { format: state.found.format })}</p>}
        </div>
        <button type="button" class="button button-quiet button-icon" aria-label={t("Take {name} away", { name })} onClick={remove}>
          <Cross />
        </button>
      </header>
      {state.name === "sending" && <Progress share={state.share} />}
      {state.name === "refused" && <p class="file-refused">{state.reason}</p>}
      {state.name === "read" && <Rows found={state.found} without={without} take={take} />}
    </section>
  );
}

function Progress({ share }: { share: number }) {
  const sent = share >= 1;
  return (
    <div class="progress waits">
      <progress max={1} value={sent ? undefined : share} aria-label={t("Sending the file")} />
      <p>{sent ? t("Reading…") : t("Sending, {percent} %", { percent: Math.floor(share * 100) })}</p>
    </div>
  );
}

interface RowsProps {
  found: Import;
  without: ReadonlySet<number>;
  take: (rows: number[], wanted: boolean) => void;
}

function Rows({ found, without, take }: RowsProps) {
  const [only, setOnly] = useState<ImportRow["status"]>();
  const counts = tally(found);
  const usable = found.rows.flatMap(({ at }, i) => (at ? [i] : []));
  const wanted = usable.filter((i) => !without.has(i)).length;
  const shown = found.rows.map((row, i) => ({ row, i })).filter(({ row }) => !only || row.status === only);
  return (
    <>
      <div class="file-tools">
        <fieldset class="filters">
          <legend class="visually-hidden">{t("Which rows are shown")}</legend>
          <Filter name={t("All rows")} count={found.rows.length} on={!only} choose={() => setOnly(undefined)} />
          {(["fine", "changed", "skipped"] as const).map(
            (status) =>
              counts[status] > 0 && (
                <Filter key={status} name={statusNames[status]} status={status} count={counts[status]} on={only === status} choose={() => setOnly(status)} />
              ),
          )}
        </fieldset>
        {usable.length > 0 && (
          <button type="button" class="button button-small" onClick={() => take(usable, wanted === 0)}>
            {wanted === 0 ? t("Tick all") : t("Untick all")}
          </button>
        )}
      </div>
      {usable.length === 0 && <p class="file-refused">{t("No question of this file can be taken as it is. Each row says why.")}</p>}
      <ol class="found-rows" aria-label={t({ one: "{n} row", other: "{n} rows" }, { n: shown.length })}>
        {shown.map(({ row, i }, n) => (
          <FoundRow
            key={i}
            found={found}
            row={row}
            round={newRound(found, row, shown[n - 1]?.row)}
            wanted={!without.has(i)}
            take={(wanted) => take([i], wanted)}
          />
        ))}
      </ol>
    </>
  );
}

export const statusNames: Record<ImportRow["status"], string> = { fine: t("Fine"), changed: t("Changed"), skipped: t("Skipped") };

/** The title of the round that begins with this row; undefined where it goes on. */
function newRound(found: Import, { at }: ImportRow, before: ImportRow | undefined): string | undefined {
  if (!at || at.round === before?.at?.round) return undefined;
  return found.content.rounds[at.round]?.title;
}

interface FilterProps {
  name: string;
  status?: ImportRow["status"];
  count: number;
  on: boolean;
  choose: () => void;
}

function Filter({ name, status, count, on, choose }: FilterProps) {
  return (
    <button type="button" class="filter" data-status={status} aria-pressed={on} onClick={choose}>
      {name} <span class="tabular">{count}</span>
    </button>
  );
}
