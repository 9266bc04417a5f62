import { useEffect } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { Deleted } from "./edits";

/** How long, in milliseconds, what was deleted can be put back. */
const patience = 15_000;

interface UndoToastProps {
  deleted: Deleted;
  undo: () => void;
  forget: () => void;
}

/** Says what is gone, and brings it back. */
export function UndoToast({ deleted, undo, forget }: UndoToastProps) {
  useEffect(() => {
    const timer = setTimeout(forget, patience);
    return () => clearTimeout(timer);
  }, [deleted]);
  const name = "round" in deleted ? deleted.round.title || t("The round") : deleted.question.text || t("The question");
  return (
    <div class="toast" role="status">
      <p>{rich("Deleted: {name}", { name: <bdi>{name}</bdi> })}</p>
      <button type="button" class="button button-small button-primary" onClick={undo}>
        {t("Undo")}
      </button>
    </div>
  );
}
