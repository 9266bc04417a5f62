import type { ContentProblem } from "../lib/protocol";
import { bounds, type Draft, type DraftRound, type Place } from "./draft";
import { troubled } from "./problems";

interface OutlineProps {
  draft: Draft;
  at: Place;
  problems: readonly ContentProblem[];
  go: (place: Place) => void;
  addRound: () => void;
  addQuestion: (round: number) => void;
}

/** The whole quiz at a glance; what is chosen here is edited beside it. */
export function Outline(props: OutlineProps) {
  const { draft, addRound } = props;
  return (
    <nav class="outline" aria-label="Rounds and questions">
      <Item {...props} place={{}} class="is-quiz">
        {draft.title || "Untitled quiz"}
      </Item>
      <ol>
        {draft.rounds.map((round, i) => (
          <RoundItem key={round.key} {...props} round={round} index={i} />
        ))}
      </ol>
      {draft.rounds.length < bounds.rounds && (
        <button type="button" class="button add" onClick={addRound}>
          + Add a round
        </button>
      )}
    </nav>
  );
}

function RoundItem(props: OutlineProps & { round: DraftRound; index: number }) {
  const { round, index, addQuestion } = props;
  return (
    <li class="of-round">
      <Item {...props} place={{ round: index }} class="is-round">
        {round.title || `Round ${index + 1}`}
      </Item>
      <ol>
        {round.questions.map((question, i) => (
          <li key={question.key}>
            <Item {...props} place={{ round: index, question: i }} class="is-question" number={i + 1}>
              {question.text || "New question"}
            </Item>
          </li>
        ))}
      </ol>
      {round.questions.length < bounds.questions && (
        <button
          type="button"
          class="button button-quiet add"
          onClick={() => addQuestion(index)}
          aria-label={`Add a question to ${round.title || `round ${index + 1}`}`}
        >
          + Add a question
        </button>
      )}
    </li>
  );
}

interface ItemProps extends OutlineProps {
  place: Place;
  class: string;
  number?: number;
  children: string;
}

function Item({ at, place, problems, go, class: kind, number, children }: ItemProps) {
  const here = at.round === place.round && at.question === place.question;
  return (
    <button type="button" class={`item ${kind}`} aria-current={here ? "true" : undefined} onClick={() => go(place)}>
      {number !== undefined && <span class="number">{number}</span>}
      <bdi class="what">{children}</bdi>
      {troubled(problems, place) && (
        <span class="trouble" title="Something to mend">
          <span aria-hidden="true">!</span>
          <span class="visually-hidden">, something to mend</span>
        </span>
      )}
    </button>
  );
}
