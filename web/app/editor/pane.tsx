import { useEffect, useRef } from "preact/hooks";
import type { ContentProblem } from "../lib/protocol";
import { bounds, type DraftQuestion, type DraftRound } from "./draft";
import type { Editing } from "./edits";
import { QuizForm, RoundForm } from "./forms";
import { pathOf } from "./problems";
import { QuestionForm } from "./question-form";

interface PaneProps {
  editing: Editing;
  problems: readonly ContentProblem[];
  changeTitle: (title: string) => void;
  changeRound: (round: number, change: Partial<DraftRound>) => void;
  changeQuestion: (round: number, question: number, change: Partial<DraftQuestion>) => void;
  move: (step: -1 | 1) => void;
  duplicate: () => void;
  discard: () => void;
}

/** The form of what is chosen in the outline. */
export function Pane(props: PaneProps) {
  const { draft, at } = props.editing;
  const round = at.round === undefined ? undefined : draft.rounds[at.round];
  const question = at.question === undefined ? undefined : round?.questions[at.question];
  const pane = useRef<HTMLElement>(null);
  const key = question?.key ?? round?.key ?? 0;
  useEffect(() => {
    // What was just added is empty: typing goes straight into it.
    if (question && question.text === "") pane.current?.querySelector<HTMLElement>("textarea")?.focus();
    pane.current?.scrollTo(0, 0);
  }, [key]);
  return (
    <main class="pane" ref={pane}>
      <header class="pane-top">
        <h2>{heading(at, round)}</h2>
        {round && <Tools {...props} />}
      </header>
      <div class="form" key={key}>
        <Form {...props} round={round} question={question} />
      </div>
    </main>
  );
}

function heading({ round, question }: Editing["at"], of: DraftRound | undefined): string {
  if (round === undefined) return "The quiz";
  return question === undefined ? `Round ${round + 1}` : `${of?.title || `Round ${round + 1}`} · Question ${question + 1}`;
}

function Form({ editing, problems, changeTitle, changeRound, changeQuestion, round, question }: PaneProps & {
  round: DraftRound | undefined;
  question: DraftQuestion | undefined;
}) {
  const { draft, at } = editing;
  const path = pathOf(at);
  const { round: r = 0, question: q = 0 } = at;
  if (question) {
    return <QuestionForm question={question} path={path} change={(change) => changeQuestion(r, q, change)} problems={problems} />;
  }
  if (round) return <RoundForm round={round} path={path} change={(change) => changeRound(r, change)} problems={problems} />;
  return <QuizForm draft={draft} change={changeTitle} problems={problems} />;
}

function Tools({ editing: { draft, at }, move, duplicate, discard }: PaneProps) {
  const { round = 0, question } = at;
  const list = question === undefined ? draft.rounds : (draft.rounds[round]?.questions ?? []);
  const last = draft.rounds.length - 1;
  const first = question === undefined ? round === 0 : round === 0 && question === 0;
  const end = question === undefined ? round === last : round === last && question === list.length - 1;
  const full = list.length >= (question === undefined ? bounds.rounds : bounds.questions);
  return (
    <div class="tools" role="toolbar" aria-label={question === undefined ? "This round" : "This question"}>
      <button type="button" class="button button-small" disabled={first} aria-keyshortcuts="Alt+ArrowUp" onClick={() => move(-1)}>
        Up <kbd class="kbd">Alt ↑</kbd>
      </button>
      <button type="button" class="button button-small" disabled={end} aria-keyshortcuts="Alt+ArrowDown" onClick={() => move(1)}>
        Down <kbd class="kbd">Alt ↓</kbd>
      </button>
      <button type="button" class="button button-small" disabled={full} onClick={duplicate}>
        Duplicate
      </button>
      <button type="button" class="button button-small button-danger" onClick={discard}>
        Delete
      </button>
    </div>
  );
}
