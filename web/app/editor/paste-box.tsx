import { useId, useRef, useState } from "preact/hooks";
import type { Import, ImportRow } from "../importer/files";
import { read as readFile } from "../importer/send";
import { t } from "../lib/language";
import type { QuizContent, QuizQuestion, QuizRound } from "../lib/protocol";
import { useSlow } from "../lib/use-slow";
import { numberWords } from "../lib/words";
import { kindMarks } from "./kinds";
import { isFormatted, pastedQuestions } from "./paste";

interface PasteBoxProps {
  addQuestions: (questions: QuizQuestion[]) => void;
  addRounds: (rounds: QuizRound[]) => void;
}

/** What was read: a list as people write it, or what the server made of a known format. */
interface Read {
  rounds: QuizRound[];
  report?: Import;
}

/** A list that is pasted, or a file; what is found in it is shown before it is taken. */
export function PasteBox({ addQuestions, addRounds }: PasteBoxProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [read, setRead] = useState<Read>();
  const [state, setState] = useState<"" | "busy">("");
  const [problem, setProblem] = useState<string>();
  const slow = useSlow(state === "busy");
  const take = async (name: string, body: Blob) => {
    setState("busy");
    const reply = await readFile(name, body, () => {});
    setState("");
    setProblem("reason" in reply ? reply.reason : undefined);
    setRead("reason" in reply ? undefined : { rounds: reply.content.rounds, report: reply });
  };
  const type = (typed: string) => {
    setText(typed);
    setProblem(undefined);
    if (isFormatted(typed)) setRead(undefined);
    else setRead(typed.trim() === "" ? undefined : { rounds: listRounds(typed) });
  };
  const questions = read?.rounds.flatMap((round) => round.questions) ?? [];
  return (
    <>
      <div class="field">
        <label for={id}>{t("A list: one question on each line, then a dash and its answer")}</label>
        <textarea
          id={id}
          class="input"
          rows={6}
          value={text}
          autofocus
          dir="auto"
          placeholder={t("1. What is the capital of Peru? - Lima\n2. Who wrote Dracula? - Bram Stoker / Stoker")}
          aria-describedby={`${id}-hint`}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <p class="field-hint" id={`${id}-hint`}>
          {t("Aiken and GIFT work as well.")}
        </p>
      </div>
      <div class="choices">
        {isFormatted(text) && (
          <button type="button" class="button button-small" disabled={state === "busy"} onClick={() => void take("pasted.txt", new Blob([text]))}>
            {slow ? t("Reading…") : t("Read what I pasted")}
          </button>
        )}
        <input
          ref={file}
          type="file"
          hidden
          accept=".json,.csv,.tsv,.xlsx,.txt,.gift,.aiken"
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            if (chosen) void take(chosen.name, chosen);
          }}
        />
        <button type="button" class="button button-small" disabled={state === "busy"} onClick={() => file.current?.click()}>
          {slow ? t("Reading…") : t("Choose a file…")}
        </button>
      </div>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="bank" tabIndex={0} role="region" aria-label={t("Questions found")}>
        {read ? <Report read={read} /> : <p class="empty">{t("What is found in it is shown here first.")}</p>}
      </div>
      <div class="adding-foot">
        <p role="status">{read ? t({ one: "{n} question found", other: "{n} questions found" }, { n: questions.length }) : ""}</p>
        {read && read.rounds.length > 1 && (
          <button type="button" class="button" onClick={() => addRounds(read.rounds)}>
            {t({ one: "Add as {n} round", other: "Add as {n} rounds" }, { n: read.rounds.length })}
          </button>
        )}
        <button type="button" class="button button-primary" disabled={questions.length === 0} onClick={() => addQuestions(questions)}>
          {questions.length > 0 ? t({ one: "Add {n} question", other: "Add {n} questions" }, { n: questions.length }) : t("Add")}
        </button>
      </div>
    </>
  );
}

function listRounds(text: string): QuizContent["rounds"] {
  return [{ title: "", introduction: "", questions: pastedQuestions(text) }];
}

function Report({ read: { rounds, report } }: { read: Read }) {
  const notes = report?.rows.filter(({ status }) => status !== "fine") ?? [];
  return (
    <>
      {notes.length > 0 && (
        <ul class="import-notes">
          {notes.map((note, i) => (
            <li key={i}>
              <strong>{noteWords(note, report?.counts)}</strong> <bdi>{note.text}</bdi>{" "}
              {note.notes?.map(({ column, detail }) => (column ? t("{column}: {detail}", { column, detail }) : detail)).join(" ")}
            </li>
          ))}
        </ul>
      )}
      {rounds.map((round, i) => (
        <section key={i} class="bank-round">
          {rounds.length > 1 && (
            <p class="pick is-all">
              <bdi>{round.title}</bdi>
            </p>
          )}
          <ol>
            {round.questions.map((question, j) => (
              <li key={j} class="pick">
                <span class="number">{j + 1}</span>
                <bdi class="what">
                  {question.text} <span class="answer">{answerOf(question)}</span>
                </bdi>
                <span class="kind-mark">{kindMarks[question.kind]}</span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function noteWords({ row: number, status }: ImportRow, counts: Import["counts"] = "row"): string {
  const place = number === 0 ? t("The file") : { row: t("Row {number}", { number }), line: t("Line {number}", { number }), question: t("Question {number}", { number }) }[counts];
  return status === "skipped" ? t("{place}, skipped:", { place }) : t("{place}, changed:", { place });
}

function answerOf({ kind, options, correct, accepted, number }: QuizQuestion): string {
  if (kind === "text") return accepted?.filter(Boolean).join(" / ") || t("no answer yet");
  if (kind === "number") return number ? numberWords(number.value) : "";
  if (kind === "trueFalse") return correct?.[0] === 0 ? t("True") : t("False");
  return (correct ?? []).map((index) => options?.[index]).join(", ");
}
