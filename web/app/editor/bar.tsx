import { t } from "../lib/language";
import type { ContentProblem } from "../lib/protocol";
import type { SaveState } from "./autosave";
import type { Draft, Place } from "./draft";
import type { View } from "./editor";
import { OpenSession } from "./open-session";
import { SaveLine } from "./save-line";

interface BarProps {
  quiz: string;
  draft: Draft;
  problems: readonly ContentProblem[];
  save: SaveState;
  canUndo: boolean;
  canRedo: boolean;
  view: View;
  setView: (view: View) => void;
  undo: () => void;
  redo: () => void;
  retry: () => void;
  settle: () => Promise<readonly ContentProblem[] | undefined>;
  go: (place: Place) => void;
}

const views: readonly { view: View; label: string }[] = [
  { view: "outline", label: t("Questions") },
  { view: "form", label: t("Write") },
  { view: "preview", label: t("Preview") },
];

/** The line at the top: what quiz it is, whether it is saved, back and forth, and the way to the evening. */
export function Bar({ quiz, draft, problems, save, canUndo, canRedo, view, setView, undo, redo, retry, settle, go }: BarProps) {
  return (
    <header class="bar">
      <a class="back" href="/host">
        {t("← Your quizzes")}
      </a>
      <h1>
        <bdi lang={draft.language || undefined}>{draft.title || t("Untitled quiz")}</bdi>
      </h1>
      <SaveLine state={save} retry={retry} />
      <div class="steps" role="group" aria-label={t("Back and forth")}>
        <button type="button" class="button button-small" disabled={!canUndo} aria-keyshortcuts="Control+Z" title={t("Undo: Ctrl Z")} onClick={undo}>
          <Arrow />
          <span class="visually-hidden">{t("Undo")}</span>
        </button>
        <button type="button" class="button button-small is-redo" disabled={!canRedo} aria-keyshortcuts="Control+Shift+Z" title={t("Redo: Ctrl Shift Z")} onClick={redo}>
          <Arrow />
          <span class="visually-hidden">{t("Redo")}</span>
        </button>
      </div>
      <OpenSession {...{ quiz, draft, problems, settle, go }} />
      <div class="views" role="group" aria-label={t("Show")}>
        {views.map((of) => (
          <button key={of.view} type="button" class="button button-small" aria-pressed={of.view === view} data-view={of.view} onClick={() => setView(of.view)}>
            {of.label}
          </button>
        ))}
      </div>
    </header>
  );
}

function Arrow() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 5 3.5 9.5 8 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-3" />
    </svg>
  );
}
