import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import { optionLetter } from "../lib/option-mark";
import { QuizLanguage } from "../lib/quiz-language";
import { pointsLong } from "../lib/words";
import { read } from "./ask";
import { byRound, type PaperQuestion, solutionWords } from "./papers";
import { Sheet } from "./sheet";

interface PapersProps {
  session: string;
  /** The id of the question on the television, or of the next. */
  at: string | undefined;
  close: () => void;
}

/** The host's own sheets: all answers of the evening, or everything to read out, with the notes. */
export function Papers({ session, at, close }: PapersProps) {
  const paper = useRef<HTMLDivElement>(null);
  const [questions, setQuestions] = useState<PaperQuestion[]>();
  const [problem, setProblem] = useState<string>();
  const [script, setScript] = useState(false);
  useEffect(() => {
    void read(session, "export", isExport).then((reply) => ("problem" in reply ? setProblem(reply.problem) : setQuestions(reply.questions)));
  }, []);
  useEffect(() => paper.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "center" }), [questions, script]);
  const views = (
    <div class="views" role="group" aria-label={t("Show")}>
      <button type="button" class="chip" aria-pressed={!script} onClick={() => setScript(false)}>
        {t("Answers")}
      </button>
      <button type="button" class="chip" aria-pressed={script} onClick={() => setScript(true)}>
        {t("To read out")}
      </button>
    </div>
  );
  return (
    <Sheet id="papers" title={script ? t("To read out") : t("All answers")} head={views} close={close}>
      {problem && <p role="alert">{problem}</p>}
      <div ref={paper} class="paper" tabIndex={0} role="group" aria-labelledby="papers">
        {byRound(questions ?? []).map(({ round, questions }) => (
          <section key={round}>
            <h3>{t("Round {number}", { number: round })}</h3>
            <ol>
              {questions.map((question) => (
                <li key={question.id} aria-current={question.id === at ? "step" : undefined}>
                  {script ? <ToRead question={question} /> : <Line question={question} />}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

function isExport(reply: unknown): reply is { questions: PaperQuestion[] } {
  return Array.isArray((reply as { questions?: unknown } | undefined)?.questions);
}

function numberOf({ id }: PaperQuestion): string {
  return id.split(".")[1] ?? "";
}

function Line({ question }: { question: PaperQuestion }) {
  const { content, voided } = question;
  const language = useContext(QuizLanguage);
  return (
    <p class="line">
      <span class="tally">{numberOf(question)}.</span>
      <bdi lang={language}>{content.text}</bdi>
      <strong>{voided ? t("does not count") : solutionWords(content) || "—"}</strong>
    </p>
  );
}

function ToRead({ question }: { question: PaperQuestion }) {
  const { content } = question;
  const language = useContext(QuizLanguage);
  const solution = solutionWords(content);
  return (
    <article>
      <p class="aside">
        {t("Question {number}", { number: numberOf(question) })} · {t({ one: "{n} second", other: "{n} seconds" }, { n: content.seconds })} ·{" "}
        {pointsLong(content.points)}
      </p>
      <p class="aloud">
        <bdi lang={language}>{content.text}</bdi>
      </p>
      {content.options?.map((option, i) => (
        <p key={i} class="aloud-option">
          {optionLetter(i)} <bdi lang={language}>{option}</bdi>
        </p>
      ))}
      {solution && (
        <p class="accepted">
          <span data-first>{solution}</span>
        </p>
      )}
      {content.notes && (
        <p class="notes">
          <bdi>{content.notes}</bdi>
        </p>
      )}
    </article>
  );
}
