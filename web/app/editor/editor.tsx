import { useEffect, useRef, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import type { ContentProblem, QuizContent } from "../lib/protocol";
import { Autosave, putQuiz, type SaveState } from "./autosave";
import { fromContent, type Place, toContent } from "./draft";
import { addQuestion, addRound, changeQuestion, changeRound, type Deleted, duplicate, type Editing, move, remove, restore } from "./edits";
import { OpenSession } from "./open-session";
import { Outline } from "./outline";
import { Pane } from "./pane";
import { placeName } from "./problems";
import { SaveLine } from "./save-line";
import { UndoToast } from "./undo-toast";

export interface LoadedQuiz {
  revision: number;
  content: QuizContent;
  problems: ContentProblem[];
}

/** The quiz as a list beside the form of what is chosen in it. Whatever is typed is saved by itself. */
export function Editor({ quiz, loaded }: { quiz: string; loaded: LoadedQuiz }) {
  const [editing, setEditing] = useState<Editing>(() => start(loaded.content));
  const [problems, setProblems] = useState(loaded.problems);
  const [save, setSave] = useState<SaveState>({ name: "saved" });
  const [deleted, setDeleted] = useState<Deleted>();
  const [said, say] = useState("");
  const latest = useRef({ editing, problems });
  latest.current.editing = editing;
  latest.current.problems = problems;
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

  const become = (next: Editing) => {
    if (next.draft !== editing.draft) autosave.current?.edit(toContent(next.draft));
    setEditing(next);
  };
  const { draft, at } = editing;
  const go = (place: Place) => setEditing({ draft, at: place });
  const shift = (step: -1 | 1) => {
    const next = move(editing, step);
    become(next);
    if (next.at !== at) say(`Moved: ${placeName(next.draft, next.at)}`);
  };
  const discard = () => {
    const next = remove(editing);
    become(next);
    setDeleted(next.deleted);
  };

  return (
    <div class="editor" onKeyDown={(event) => onMoveKey(event, shift)}>
      <header class="bar">
        <a class="back" href="/host">
          ← Your quizzes
        </a>
        <h1>
          <bdi>{draft.title || "Untitled quiz"}</bdi>
        </h1>
        <SaveLine state={save} retry={() => void autosave.current?.flush()} />
        <OpenSession
          quiz={quiz}
          draft={draft}
          problems={problems}
          settle={async () => ((await autosave.current?.flush()) ? latest.current.problems : undefined)}
          go={go}
        />
      </header>
      <Outline
        draft={draft}
        at={at}
        problems={problems}
        go={go}
        addRound={() => become(addRound(editing))}
        addQuestion={(round) => become(addQuestion(editing, round))}
      />
      <Pane
        editing={editing}
        problems={problems}
        changeTitle={(title) => become({ draft: { ...draft, title }, at })}
        changeRound={(round, change) => become({ draft: changeRound(draft, round, change), at })}
        changeQuestion={(round, question, change) => become({ draft: changeQuestion(draft, round, question, change), at })}
        move={shift}
        duplicate={() => become(duplicate(editing))}
        discard={discard}
      />
      {deleted && (
        <UndoToast
          deleted={deleted}
          undo={() => {
            become(restore(editing, deleted));
            setDeleted(undefined);
          }}
          forget={() => setDeleted(undefined)}
        />
      )}
      <Announcement text={said} />
    </div>
  );
}

function start(content: QuizContent): Editing {
  const draft = fromContent(content);
  return { draft, at: draft.rounds[0]?.questions.length ? { round: 0, question: 0 } : {} };
}

function onMoveKey(event: KeyboardEvent, shift: (step: -1 | 1) => void): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
  if (!step || !event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  shift(step);
}

/** Leaving saves what waits; where that is not done yet, the browser asks first. */
function useLeaving(autosave: Autosave): void {
  useEffect(() => {
    const hide = () => document.visibilityState === "hidden" && void autosave.flush();
    const leave = (event: BeforeUnloadEvent) => autosave.dirty && event.preventDefault();
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("beforeunload", leave);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("beforeunload", leave);
    };
  }, [autosave]);
}
