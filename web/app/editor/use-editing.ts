import { useEffect, useRef, useState } from "preact/hooks";
import type { ContentProblem, QuizContent } from "../lib/protocol";
import { Autosave, putQuiz, type SaveState } from "./autosave";
import { fromContent, type Place, toContent } from "./draft";
import type { Editing } from "./edits";
import { begun, type History, redone, stepped, undone } from "./history";

export interface LoadedQuiz {
  revision: number;
  content: QuizContent;
  problems: ContentProblem[];
  /** Where everyone with the link may read it; absent while it is not shared. */
  shareURL?: string;
}

export type Change = (editing: Editing) => Editing;

export interface UseEditing {
  editing: Editing;
  problems: readonly ContentProblem[];
  save: SaveState;
  canUndo: boolean;
  canRedo: boolean;
  /** Takes a step from what is newest. The field names what is typed in, so that typing is one step. It returns what became of it. */
  take: (change: Change, field?: string) => Editing;
  go: (place: Place) => void;
  undo: () => void;
  redo: () => void;
  retry: () => void;
  /** Saves what is not saved yet, and reports what then stands in the way of playing; undefined if it could not be saved. */
  settle: () => Promise<readonly ContentProblem[] | undefined>;
}

/** The quiz under the author's hands: each step can be undone, and is saved by itself. */
export function useEditing(quiz: string, loaded: LoadedQuiz): UseEditing {
  const [history, setHistory] = useState(() => begun(start(loaded.content)));
  const [problems, setProblems] = useState(loaded.problems);
  const [save, setSave] = useState<SaveState>({ name: "saved" });
  const latest = useRef({ history, problems });
  const autosave = useRef<Autosave | undefined>(undefined);
  autosave.current ??= new Autosave(
    {
      put: (revision, content) => putQuiz(quiz, revision, content),
      show: setSave,
      problems: (found) => {
        latest.current.problems = found;
        setProblems(found);
      },
    },
    loaded.revision,
  );
  useLeaving(autosave.current);

  const become = (next: History) => {
    const { draft } = next.now;
    if (draft !== latest.current.history.now.draft) autosave.current?.edit(toContent(draft));
    latest.current.history = next;
    setHistory(next);
  };
  return {
    editing: history.now,
    problems,
    save,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    take: (change, field) => {
      const now = latest.current.history;
      const next = change(now.now);
      become(stepped(now, next, field === undefined ? undefined : { field, at: Date.now() }));
      return next;
    },
    go: (place) => become(stepped(latest.current.history, { draft: latest.current.history.now.draft, at: place })),
    undo: () => become(undone(latest.current.history)),
    redo: () => become(redone(latest.current.history)),
    retry: () => void autosave.current?.flush(),
    settle: async () => ((await autosave.current?.flush()) ? latest.current.problems : undefined),
  };
}

function start(content: QuizContent): Editing {
  const draft = fromContent(content);
  return { draft, at: draft.rounds[0]?.questions.length ? { round: 0, question: 0 } : {} };
}

/** Leaving saves what waits, before a link is followed to what may show it; where that is not done yet, the browser asks first. */
function useLeaving(autosave: Autosave): void {
  useEffect(() => {
    const hide = () => document.visibilityState === "hidden" && void autosave.flush();
    const leave = (event: BeforeUnloadEvent) => autosave.dirty && event.preventDefault();
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
      if (!link || !autosave.dirty || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const tab = link.target === "_blank" ? window.open() : window; // now: later no tab may be opened
      void autosave.flush().then(() => tab?.location.assign(link.href));
    };
    document.addEventListener("visibilitychange", hide);
    document.addEventListener("click", follow);
    window.addEventListener("beforeunload", leave);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      document.removeEventListener("click", follow);
      window.removeEventListener("beforeunload", leave);
    };
  }, [autosave]);
}
