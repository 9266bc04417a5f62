import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { t } from "../lib/language";
import { useSlow } from "../lib/use-slow";
import { DropZone } from "./drop-zone";
import { FileCard } from "./file-card";
import { bounds, change, size, suggestedTitle, tally, together } from "./files";
import { create, read } from "./send";

let lastKey = 0;

/** From files to a quiz: choose them, look at what was found, and create it. Nothing is stored before that. */
export function Importer() {
  const [files, apply] = useReducer(change, []);
  const [typed, setTitle] = useState<string>();
  const [creating, setCreating] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [said, say] = useState("");
  const title = typed ?? suggestedTitle(files);
  const content = together(files, title.trim());
  const busy = files.some(({ state }) => state.name === "sending");
  const questions = content.rounds.reduce((sum, round) => sum + round.questions.length, 0);

  useEffect(() => {
    const keep = (event: BeforeUnloadEvent) => files.length > 0 && !creating && event.preventDefault();
    addEventListener("beforeunload", keep);
    return () => removeEventListener("beforeunload", keep);
  }, [files.length, creating]);

  const add = async (chosen: readonly { name: string; body: Blob }[]) => {
    setTrouble("");
    const waiting = chosen.map((file) => ({ ...file, key: ++lastKey }));
    for (const { key, name } of waiting) apply({ do: "add", key, name });
    for (const { key, name, body } of waiting) { // one after another: the server reads one at a time
      const found = await read(name, body, (share) => apply({ do: "sent", key, share }));
      if ("reason" in found) {
        apply({ do: "refuse", key, reason: found.reason });
        say(t("{name}: {reason}", { name, reason: found.reason }));
      } else {
        apply({ do: "read", key, found });
        const { fine, changed, skipped } = tally(found);
        say(t("{name} was read: {fine} fine, {changed} changed, {skipped} skipped", { name, fine, changed, skipped }));
      }
    }
  };

  const finish = async () => {
    if (content.rounds.length > bounds.rounds) {
      setTrouble(
        t(
          { one: "That makes {n} round, and a quiz has at most {most}. Leave some out.", other: "That makes {n} rounds, and a quiz has at most {most}. Leave some out." },
          { n: content.rounds.length, most: bounds.rounds },
        ),
      );
      return;
    }
    setCreating(true);
    const reply = await create(content);
    if ("quiz" in reply) location.assign(`/host/quizzes/${reply.quiz}`);
    else {
      setCreating(false);
      setTrouble(reply.reason);
    }
  };

  return (
    <div class="importer" data-empty={files.length === 0}>
      <header class="bar">
        <a class="back" href="/host">
          {t("← Your quizzes")}
        </a>
        <h1>{t("New quiz from files")}</h1>
      </header>
      <main class="import-main">
        <DropZone add={(chosen) => void add(chosen)} first={files.length === 0} />
        {files.map((file) => (
          <FileCard
            key={file.key}
            file={file}
            take={(rows, wanted) => apply({ do: "take", key: file.key, rows, wanted })}
            remove={() => {
              apply({ do: "remove", key: file.key });
              say(t("{name} was taken away", { name: file.name }));
            }}
          />
        ))}
      </main>
      {files.some(({ state }) => state.name === "read") && (
        <Finish {...{ title, setTitle, busy, creating, trouble, questions }} what={size(content)} finish={() => void finish()} />
      )}
      <Announcement text={said} />
    </div>
  );
}

interface FinishProps {
  title: string;
  setTitle: (title: string) => void;
  /** "12 questions in 3 rounds" */
  what: string;
  questions: number;
  busy: boolean;
  creating: boolean;
  trouble: string;
  finish: () => void;
}

/** The last step, always in sight. */
function Finish({ title, setTitle, what, questions, busy, creating, trouble, finish }: FinishProps) {
  const form = useRef<HTMLFormElement>(null);
  const ready = questions > 0 && !busy && !creating;
  const slow = useSlow(busy || creating);
  return (
    <form
      ref={form}
      class="finish"
      aria-label={t("Create the quiz")}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) finish();
      }}
    >
      {trouble && (
        <p class="field-problem" role="alert">
          {trouble}
        </p>
      )}
      <div class="field">
        <label for="title">{t("Title")}</label>
        <input
          id="title"
          class="input"
          dir="auto"
          maxLength={bounds.title}
          placeholder={t("Untitled quiz")}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </div>
      <p class="finish-size">{questions > 0 ? what : t("No question is ticked.")}</p>
      <button class="button button-primary" aria-disabled={!ready}>
        {slow && creating ? t("Creating…") : slow ? t("Reading…") : t("Create quiz")}
      </button>
    </form>
  );
}
