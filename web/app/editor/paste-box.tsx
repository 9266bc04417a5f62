import { useId, useRef, useState } from "preact/hooks";
import type { QuizContent, QuizQuestion, QuizRound } from "../lib/protocol";
import { plural } from "../lib/words";
import { type ImportReply, readImport } from "./imports";
import { kindMarks } from "./kinds";
import { isFormatted, pastedQuestions } from "./paste";

interface PasteBoxProps {
  addQuestions: (questions: QuizQuestion[]) => void;
  addRounds: (rounds: QuizRound[]) => void;
}

/** What was read: a list as people write it, or what the server made of a known format. */
interface Read {
  rounds: QuizRound[];
  report?: ImportReply;
}

/** A list that is pasted, or a file; what is found in it is shown before it is taken. */
export function PasteBox({ addQuestions, addRounds }: PasteBoxProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [read, setRead] = useState<Read>();
  const [state, setState] = useState<"" | "busy">("");
  const [problem, setProblem] = useState<string>();
  const take = async (name: string, body: Blob) => {
    setState("busy");
    const reply = await readImport(name, body);
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
        <label for={id}>A list: one question on each line, then a dash and its answer</label>
        <textarea
          id={id}
          class="input"
          rows={6}
          value={text}
          autofocus
          dir="auto"
          placeholder={"1. What is the capital of Peru? - Lima\n2. Who wrote Dracula? - Bram Stoker / Stoker"}
          aria-describedby={`${id}-hint`}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <p class="field-hint" id={`${id}-hint`}>
          Aiken and GIFT work as well.{" "}
        </p>
      </div>
      <div class="choices">
        {isFormatted(text) && (
          <button type="button" class="button button-small" disabled={state === "busy"} onClick={() => void take("pasted.txt", new Blob([text]))}>
            {state === "busy" ? "Reading…" : "Read what I pasted"}
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
          {state === "busy" ? "Reading…" : "Choose a file…"}
        </button>
      </div>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="bank" tabIndex={0} role="region" aria-label="Questions found">
        {read ? <Report read={read} /> : <p class="empty">What is found in it is shown here first.</p>}
      </div>
      <div class="adding-foot">
        <p role="status">{read ? `${plural(questions.length, "question", "questions")} found` : ""}</p>
        {read && read.rounds.length > 1 && (
          <button type="button" class="button" onClick={() => addRounds(read.rounds)}>
            Add as {plural(read.rounds.length, "round", "rounds")}
          </button>
        )}
        <button type="button" class="button button-primary" disabled={questions.length === 0} onClick={() => addQuestions(questions)}>
          Add {questions.length > 0 && plural(questions.length, "question", "questions")}
        </button>
      </div>
    </>
  );
}

function listRounds(text: string): QuizContent["rounds"] {
  return [{ title: "", introduction: "", questions: pastedQuestions(text) }];
}

function Report({ read: { rounds, report } }: { read: Read }) {
  const unit = report && report.counts.charAt(0).toUpperCase() + report.counts.slice(1);
  const notes = report?.rows.filter(({ status }) => status !== "fine") ?? [];
  return (
    <>
      {notes.length > 0 && (
        <ul class="import-notes">
          {notes.map((note, i) => (
            <li key={i}>
              <strong>
                {note.row > 0 ? `${unit} ${note.row}` : "The file"}, {note.status}:
              </strong>{" "}
              <bdi>{note.text}</bdi> {note.notes?.map(({ column, detail }) => (column ? `${column}: ${detail}` : detail)).join(" ")}
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

function answerOf({ kind, options, correct, accepted, number }: QuizQuestion): string {
  if (kind === "text") return accepted?.filter(Boolean).join(" / ") || "no answer yet";
  if (kind === "number") return String(number?.value ?? "");
  if (kind === "trueFalse") return correct?.[0] === 0 ? "True" : "False";
  return (correct ?? []).map((index) => options?.[index]).join(", ");
}
