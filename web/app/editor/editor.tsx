import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { t } from "../lib/language";
import { type Added, AddQuestions } from "./add-questions";
import { Bar } from "./bar";
import * as edits from "./edits";
import { onMoveKey } from "./move-key";
import { Outline } from "./outline";
import { Pane } from "./pane";
import { Preview, type ScreenStyles } from "./preview";
import { placeName } from "./problems";
import { UndoToast } from "./undo-toast";
import { type LoadedQuiz, useEditing } from "./use-editing";
import { useUploads } from "./use-uploads";

/** What a narrow window shows of the editor. */
export type View = "outline" | "form" | "preview";

interface EditorProps {
  quiz: string;
  loaded: LoadedQuiz;
  styles: ScreenStyles;
}

/** The quiz as a list beside the form of what is chosen in it, and what becomes of that on the screens. Whatever is typed is saved by itself. */
export function Editor({ quiz, loaded, styles }: EditorProps) {
  const { editing, problems, take, go, undo, redo, ...saving } = useEditing(quiz, loaded);
  const [deleted, setDeleted] = useState<edits.Deleted>();
  const [said, say] = useState("");
  const [view, setView] = useState<View>("form");
  const [addingTo, addTo] = useState<number>();
  const [shareURL, setShareURL] = useState(loaded.shareURL);
  const uploads = useUploads((key, media) => take((now) => ({ ...now, draft: edits.changeMedia(now.draft, key, media) })));
  const { draft, at } = editing;

  const shift = (step: -1 | 1) => {
    const next = take((now) => edits.move(now, step));
    if (next.draft !== draft) say(t("Moved: {what}", { what: placeName(next.draft, next.at) }));
  };
  const discard = () => {
    let gone: edits.Deleted | undefined;
    take((now) => {
      const { deleted, ...next } = edits.remove(now);
      gone = deleted;
      return next;
    });
    setDeleted(gone);
  };
  const step = (which: "undo" | "redo") => {
    (which === "undo" ? undo : redo)();
    setDeleted(undefined);
    say(which === "undo" ? t("Undone") : t("Done again"));
  };
  const add = (change: (now: edits.Editing) => edits.Editing) => {
    take(change);
    setView("form");
  };
  const addOthers = (what: Added) => {
    add((now) => ("rounds" in what ? edits.insertRounds(now, what.rounds) : edits.insertQuestions(now, addingTo ?? 0, what.questions)));
    addTo(undefined);
    say(
      "questions" in what
        ? t({ one: "Added: {n} question", other: "Added: {n} questions" }, { n: what.questions.length })
        : t({ one: "Added: {n} round", other: "Added: {n} rounds" }, { n: what.rounds.length }),
    );
  };
  useShortcuts({ add: () => add((now) => edits.addQuestion(now, now.at.round ?? 0)), undo: () => step("undo"), redo: () => step("redo"), duplicate: () => take(edits.duplicate) });

  return (
    <div class="editor" data-view={view} onKeyDown={(event) => onMoveKey(event, shift)}>
      <Bar {...{ quiz, draft, problems, view, setView, go, ...saving }} undo={() => step("undo")} redo={() => step("redo")} />
      <main class="desk">
        <Outline
          {...{ draft, at, problems }}
          go={(place) => {
            go(place);
            setView("form");
          }}
          moveTo={(from, to) => {
            const next = take((now) => edits.moveTo(now, from, to));
            say(t("Moved: {what}", { what: placeName(next.draft, next.at) }));
          }}
          addRound={() => add(edits.addRound)}
          addQuestion={(round) => add((now) => edits.addQuestion(now, round))}
          addOthers={addTo}
        />
        <Pane
          {...{ editing, problems, uploads, say, discard }}
          sharing={{ quiz, url: shareURL, settle: saving.settle, changed: setShareURL }}
          changeQuiz={(change, field) => take((now) => ({ ...now, draft: { ...now.draft, ...change } }), field)}
          changeRound={(round, change, field) => take((now) => ({ ...now, draft: edits.changeRound(now.draft, round, change) }), field)}
          changeQuestion={(round, question, change, field) =>
            take((now) => ({ ...now, draft: edits.changeQuestion(now.draft, round, question, change) }), field)
          }
          changeAll={(round, change) => {
            take((now) => ({ ...now, draft: edits.changeAll(now.draft, round, change) }));
            say(t("The whole round is changed"));
          }}
          move={shift}
          duplicate={() => take(edits.duplicate)}
        />
        <Preview draft={draft} at={at} styles={styles} />
      </main>
      {addingTo !== undefined && <AddQuestions round={placeName(draft, { round: addingTo })} add={addOthers} close={() => addTo(undefined)} />}
      {deleted && (
        <UndoToast
          deleted={deleted}
          undo={() => {
            take((now) => edits.restore(now, deleted));
            setDeleted(undefined);
          }}
          forget={() => setDeleted(undefined)}
        />
      )}
      <Announcement text={said} />
    </div>
  );
}

interface Shortcuts {
  add: () => void;
  undo: () => void;
  redo: () => void;
  duplicate: () => void;
}

/** Ctrl or ⌘ with Enter, Z, Shift Z or Y, and D; wherever the focus is, but not while a dialog is open. */
function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const does = shortcutOf(event);
      if (!does || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      latest.current[does]();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function shortcutOf({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): keyof Shortcuts | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  switch (key.toLowerCase()) {
    case "enter":
      return "add";
    case "z":
      return shiftKey ? "redo" : "undo";
    case "y":
      return "redo";
    case "d":
      return shiftKey ? undefined : "duplicate";
    default:
      return undefined;
  }
}
