import { useEffect, useRef } from "preact/hooks";
import { Grip } from "../lib/icons";
import { t } from "../lib/language";
import type { ContentProblem } from "../lib/protocol";
import { bounds, type Draft, type DraftQuestion, type DraftRound, type Place } from "./draft";
import { drag, type Slot } from "./drag";
import { kindMarks } from "./kinds";
import { troubled } from "./problems";

interface OutlineProps {
  draft: Draft;
  at: Place;
  problems: readonly ContentProblem[];
  go: (place: Place) => void;
  moveTo: (from: Place, to: Place) => void;
  addRound: () => void;
  addQuestion: (round: number) => void;
  addOthers: (round: number) => void;
}

/** The whole quiz at a glance; what is chosen here is edited beside it. */
export function Outline(props: OutlineProps) {
  const { draft, at, addRound } = props;
  const nav = useRef<HTMLElement>(null);
  const inside = useRef(false); // the focus
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current="true"]');
    here?.scrollIntoView({ block: "nearest" });
    // What had the focus and was moved into another round is another element there.
    if (here && inside.current && document.activeElement === document.body) here.focus();
  }, [at.round, at.question, draft]);
  return (
    <nav
      class="outline"
      aria-label={t("Rounds and questions")}
      ref={nav}
      onFocusIn={() => (inside.current = true)}
      onFocusOut={(event) => event.relatedTarget && (inside.current = nav.current?.contains(event.relatedTarget as Node) ?? false)}
    >
      <Item {...props} place={{}} class="is-quiz">
        {t("About the quiz")}
      </Item>
      <ol>
        {draft.rounds.map((round, i) => (
          <RoundItem key={round.key} {...props} round={round} index={i} />
        ))}
      </ol>
      {draft.rounds.length < bounds.rounds && (
        <button type="button" class="button add" onClick={addRound}>
          {t("+ Add a round")}
        </button>
      )}
    </nav>
  );
}

function RoundItem(props: OutlineProps & { round: DraftRound; index: number }) {
  const { round, index, addQuestion, addOthers } = props;
  const { title } = round;
  const number = index + 1;
  const adding = title ? t("Add a question to {round}", { round: title }) : t("Add a question to round {number}", { number });
  const addingSeveral = title ? t("Add several questions to {round}", { round: title }) : t("Add several questions to round {number}", { number });
  return (
    <li class="of-round" data-round={index} data-drag="">
      <Item {...props} place={{ round: index }} class="is-round">
        {title || t("Round {number}", { number })}
      </Item>
      <ol>
        {round.questions.map((question, i) => (
          <li key={question.key} data-drag="" data-round={index} data-question={i}>
            <Item {...props} place={{ round: index, question: i }} class="is-question" question={question}>
              {question.text || t("New question")}
            </Item>
          </li>
        ))}
      </ol>
      {round.questions.length < bounds.questions && (
        <p class="adders" data-round={index} data-end={round.questions.length}>
          <button type="button" class="button button-quiet add" onClick={() => addQuestion(index)} title={t("Question: Ctrl Enter")} aria-keyshortcuts="Control+Enter" aria-label={adding}>
            {t("+ Question")}
          </button>
          <button type="button" class="button button-quiet add" onClick={() => addOthers(index)} aria-label={addingSeveral}>
            {t("+ Several…")}
          </button>
        </p>
      )}
    </li>
  );
}

interface ItemProps extends OutlineProps {
  place: Place;
  class: string;
  question?: DraftQuestion;
  children: string;
}

function Item({ draft, at, place, problems, go, moveTo, class: kind, question, children }: ItemProps) {
  const here = at.round === place.round && at.question === place.question;
  return (
    <div class={`item-line ${kind}`}>
      {place.round !== undefined && (
        <span class="grip" aria-hidden="true" title={t("Drag to move")} onPointerDown={(event) => event.button === 0 && lift(event, place, moveTo)}>
          <Grip />
        </span>
      )}
      <button type="button" class={`item ${kind}`} aria-current={here ? "true" : undefined} onClick={() => go(place)}>
        {question && <span class="number">{(place.question ?? 0) + 1}</span>}
        <bdi class="what" lang={place.round === undefined ? undefined : draft.language || undefined}>
          {children}
        </bdi>
        {question && <span class="kind-mark">{kindMarks[question.kind]}</span>}
        {troubled(problems, place) && (
          <span class="trouble" title={t("Something to mend")}>
            <span aria-hidden="true">!</span>
            <span class="visually-hidden">, {t("something to mend")}</span>
          </span>
        )}
      </button>
    </div>
  );
}

function lift(event: PointerEvent, place: Place, moveTo: OutlineProps["moveTo"]): void {
  event.preventDefault();
  const nav = (event.currentTarget as HTMLElement).closest<HTMLElement>(".outline");
  if (nav) drag(event, nav, () => (place.question === undefined ? roundSlots(nav) : questionSlots(nav)), (to) => moveTo(place, to));
}

/** Before each round, and after the last. */
function roundSlots(nav: HTMLElement): Slot<Place>[] {
  const rounds = [...nav.querySelectorAll<HTMLElement>(".of-round")];
  const before = rounds.map((element, round): Slot<Place> => ({ element, edge: "before", to: { round } }));
  const last = rounds.at(-1);
  return last ? [...before, { element: last, edge: "after", to: { round: rounds.length } }] : before;
}

/** Before each question, and at the end of each round that has room. */
function questionSlots(nav: HTMLElement): Slot<Place>[] {
  return [...nav.querySelectorAll<HTMLElement>("[data-question], [data-end]")].map((element) => ({
    element,
    edge: "before",
    to: { round: Number(element.dataset.round), question: Number(element.dataset.question ?? element.dataset.end) },
  }));
}
