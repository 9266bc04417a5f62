import { useEffect, useRef, useState } from "preact/hooks";
import { Up } from "../lib/icons";
import { t } from "../lib/language";

interface DropZoneProps {
  add: (files: { name: string; body: Blob }[]) => void;
  /** Nothing has been chosen yet. */
  first: boolean;
}

/** The formats of docs/imports.md, in people's words. */
const formats = [
  [t("Spreadsheets (.xlsx, .csv)"), t("with a heading row: Question, Answer, and if you like Round, Option 1 to 6, Points, Seconds, Notes")],
  [t("Quiz tools"), "Kahoot, Quizizz / Wayground, Blooket, Gimkit, Socrative, ClassQuiz, jovVix, Razzia / Rahoot, ARSnova"],
  [t("Collections"), t("Open Trivia DB, and the pub quiz sheets with Round, Category and OptA to OptE")],
  [t("Text"), t("GIFT and Aiken from Moodle, or simply “question - answer” on each line")],
  [t("Our own"), t("what you downloaded from one of your quizzes")],
] as const;

/** Whether there is something to drop files with. */
const canDrop = !matchMedia("(pointer: coarse)").matches;

/** Files are dropped anywhere on the page, chosen, or pasted as text. */
export function DropZone({ add, first }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [pasting, setPasting] = useState(false);
  const addAll = (list: FileList | null | undefined) => list?.length && add([...list].map((file) => ({ name: file.name, body: file })));
  const adding = useRef(addAll);
  adding.current = addAll;
  useEffect(() => {
    let inside = 0; // dragenter and dragleave come for every element on the way
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const listen = {
      dragenter: (event: DragEvent) => holdsFiles(event) && setOver(++inside > 0),
      dragleave: (event: DragEvent) => holdsFiles(event) && setOver(--inside > 0),
      dragover: (event: DragEvent) => holdsFiles(event) && event.preventDefault(),
      drop: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        inside = 0;
        setOver(false);
        adding.current(event.dataTransfer?.files);
      },
    };
    for (const [name, heard] of Object.entries(listen)) addEventListener(name, heard as EventListener);
    return () => {
      for (const [name, heard] of Object.entries(listen)) removeEventListener(name, heard as EventListener);
    };
  }, []);

  return (
    <section class="drop-zone" data-over={over} data-first={first} aria-label={t("Choose files")}>
      {first && (
        <span class="drop-icon" aria-hidden="true">
          <Up />
        </span>
      )}
      <p class="drop-words">{over ? t("Let go to read them") : first ? (canDrop ? t("Drop your question files here") : t("Bring your questions")) : t("More files become further rounds")}</p>
      <div class="drop-ways">
        <button type="button" class={`button${first ? " button-primary" : ""}`} onClick={() => input.current?.click()}>
          {t("Choose files")}
        </button>
        <button type="button" class="button" aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
          {t("Paste text")}
        </button>
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          aria-label={t("Question files")}
          multiple
          tabIndex={-1}
          onChange={(event) => {
            addAll(event.currentTarget.files);
            event.currentTarget.value = ""; // the same file again is a change, too
          }}
        />
      </div>
      {pasting && (
        <PasteBox
          add={(text) => {
            add([{ name: t("Pasted text"), body: new Blob([text], { type: "text/plain" }) }]);
            setPasting(false);
          }}
        />
      )}
      {first && <Formats />}
    </section>
  );
}

function PasteBox({ add }: { add: (text: string) => void }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) add(text);
      }}
    >
      <div class="field">
        <label for="pasted">{t("Questions as text")}</label>
        <textarea
          id="pasted"
          ref={field}
          class="input"
          rows={7}
          dir="auto"
          placeholder={t("Which planet is called the red one? - Mars\nHow many legs has a spider? - 8")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="field-hint">{t("One question on a line, then a dash and its answer. Rows copied from a spreadsheet work with their headings.")}</p>
      </div>
      <button class="button" aria-disabled={!text.trim()}>
        {t("Read the text")}
      </button>
    </form>
  );
}

function Formats() {
  return (
    <dl class="formats">
      {formats.map(([name, what]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
