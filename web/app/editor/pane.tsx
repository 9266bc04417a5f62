import { useEffect, useRef } from "preact/hooks";
import { Down, Up } from "../lib/icons";
import { t } from "../lib/language";
import type { ContentProblem } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { bounds, type Draft, type DraftQuestion, type DraftRound } from "./draft";
import type { Editing } from "./edits";
import { QuizForm, RoundForm } from "./forms";
import { pathOf } from "./problems";
import { QuestionForm } from "./question-form";
import type { SharingProps } from "./sharing";
import type { Uploads } from "./use-uploads";

interface PaneProps {
  editing: Editing;
  problems: readonly ContentProblem[];
  uploads: Uploads;
  sharing: SharingProps;
  changeQuiz: (change: Partial<Draft>, field?: string) => void;
  changeRound: (round: number, change: Partial<DraftRound>, field?: string) => void;
  changeQuestion: (round: number, question: number, change: Partial<DraftQuestion>, field?: string) => void;
  changeAll: (round: number, change: Pick<DraftQuestion, "seconds"> | Pick<DraftQuestion, "points">) => void;
  move: (step: -1 | 1) => void;
  duplicate: () => void;
  discard: () => void;
  say: (text: string) => void;
}

/** The form of what is chosen in the outline. */
export function Pane(props: PaneProps) {
  const { draft, at } = props.editing;
  const round = at.round === undefined ? undefined : draft.rounds[at.round];
  const question = at.question === undefined ? undefined : round?.questions[at.question];
  const pane = useRef<HTMLElement>(null);
  const owner = question?.key ?? round?.key ?? 0;
  useEffect(() => {
    // What was just added is empty: typing goes straight into it.
    if (question && question.text === "") pane.current?.querySelector<HTMLElement>("textarea")?.focus();
    pane.current?.scrollTo(0, 0);
  }, [owner]);
  return (
    <section class="pane" aria-labelledby="chosen" ref={pane} onPaste={(event) => round && onPaste(event, owner, question !== undefined, props.uploads)}>
      <header class="pane-top">
        <h2 id="chosen">{heading(at, round)}</h2>
        {round && <Tools {...props} />}
      </header>
      <div class="form" key={owner}>
        <QuizLanguage.Provider value={draft.language || undefined}>
          <Form {...props} round={round} question={question} />
        </QuizLanguage.Provider>
      </div>
    </section>
  );
}

/** A picture in the clipboard becomes the question's or the round's. */
function onPaste(event: ClipboardEvent, owner: number, ofQuestion: boolean, uploads: Uploads): void {
  const file = event.clipboardData?.files[0];
  if (!file) return;
  event.preventDefault();
  uploads.send(owner, file, ofQuestion ? ["image", "audio", "video"] : ["image"]);
}

function heading({ round, question }: Editing["at"], of: DraftRound | undefined): string {
  if (round === undefined) return t("The quiz");
  const numbered = t("Round {number}", { number: round + 1 });
  return question === undefined ? numbered : t("{round} · Question {number}", { round: of?.title || numbered, number: question + 1 });
}

function Form(props: PaneProps & { round: DraftRound | undefined; question: DraftQuestion | undefined }) {
  const { editing, problems, uploads, sharing, changeQuiz, changeRound, changeQuestion, changeAll, say, round, question } = props;
  const { draft, at } = editing;
  const path = pathOf(at);
  const { round: r = 0, question: q = 0 } = at;
  if (round && question) {
    return (
      <QuestionForm
        {...{ question, round, path, problems, uploads, say }}
        change={(change, field) => changeQuestion(r, q, change, field && `${question.key} ${field}`)}
        changeAll={(change) => changeAll(r, change)}
      />
    );
  }
  if (round) {
    return <RoundForm {...{ round, path, problems, uploads }} change={(change, field) => changeRound(r, change, field && `${round.key} ${field}`)} />;
  }
  return <QuizForm {...{ draft, problems, sharing }} change={changeQuiz} />;
}

function Tools({ editing: { draft, at }, move, duplicate, discard }: PaneProps) {
  const { round = 0, question } = at;
  const list = question === undefined ? draft.rounds : (draft.rounds[round]?.questions ?? []);
  const last = draft.rounds.length - 1;
  const first = question === undefined ? round === 0 : round === 0 && question === 0;
  const end = question === undefined ? round === last : round === last && question === list.length - 1;
  const full = list.length >= (question === undefined ? bounds.rounds : bounds.questions);
  return (
    <div class="tools" role="toolbar" aria-label={question === undefined ? t("This round") : t("This question")}>
      <button type="button" class="button button-small" disabled={first} aria-keyshortcuts="Alt+ArrowUp" title={t("Up: Alt ↑")} onClick={() => move(-1)}>
        <Up />
        <span class="visually-hidden">{t("Up")}</span>
      </button>
      <button type="button" class="button button-small" disabled={end} aria-keyshortcuts="Alt+ArrowDown" title={t("Down: Alt ↓")} onClick={() => move(1)}>
        <Down />
        <span class="visually-hidden">{t("Down")}</span>
      </button>
      <button type="button" class="button button-small" disabled={full} aria-keyshortcuts="Control+D" title={t("Duplicate: Ctrl D")} onClick={duplicate}>
        {t("Duplicate")}
      </button>
      <button type="button" class="button button-small button-danger" onClick={discard}>
        {t("Delete")}
      </button>
    </div>
  );
}
