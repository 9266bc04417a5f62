import type { Media } from "../lib/protocol";
import { Answers, type AnswersProps } from "./answers";
import { bounds, canBreakTies, type DraftQuestion, type DraftRound, scored } from "./draft";
import { CheckField, Group, NumberField, TagsField, TextField } from "./fields";
import { kinds } from "./kinds";
import { MediaField } from "./media-field";
import { problemAt } from "./problems";
import type { Uploads } from "./use-uploads";

/** Longer questions are shown smaller than is legible from everywhere in the room. */
const comfortable = 150;

export interface QuestionFormProps extends AnswersProps {
  round: DraftRound;
  uploads: Uploads;
  changeAll: (change: Pick<DraftQuestion, "seconds"> | Pick<DraftQuestion, "points">) => void;
}

export function QuestionForm(props: QuestionFormProps) {
  const { question, path, change, problems, uploads } = props;
  const { kind, text } = question;
  return (
    <>
      <Group legend="Kind" hint={kinds.find((of) => of.kind === kind)?.about} problem={problemAt(problems, `${path}.kind`)}>
        <div class="kinds">
          {kinds.map(({ kind, label }) => (
            <label key={kind} class="kind">
              <input type="radio" name={`kind-${question.key}`} checked={question.kind === kind} onChange={() => change({ kind })} />
              {label}
            </label>
          ))}
        </div>
      </Group>
      <TextField
        label={kind === "slide" ? "Text" : kind === "trueFalse" ? "Statement" : "Question"}
        value={text}
        onInput={(text) => change({ text }, "text")}
        max={bounds.text}
        rows={2}
        hint={text.length > comfortable ? "This long, it gets small on the television." : undefined}
        problem={problemAt(problems, `${path}.text`)}
      />
      <MediaField
        owner={question.key}
        media={question.media}
        taken={["image", "audio", "video"]}
        uploads={uploads}
        change={(media: Media | undefined, field) => change({ media }, field)}
      />
      <Answers {...props} />
      {kind !== "slide" && <Worth {...props} />}
      <TextField
        label="Notes"
        value={question.notes}
        onInput={(notes) => change({ notes }, "notes")}
        max={bounds.notes}
        rows={2}
        hint="Only you see them, on the console."
        problem={problemAt(problems, `${path}.notes`)}
      />
      <TagsField
        value={question.tags}
        onInput={(tags) => change({ tags }, "tags")}
        hint="To find it again: history, easy."
        problem={problemAt(problems, `${path}.tags`)}
      />
    </>
  );
}

/** How long players have, what the question earns, and whether it is special. */
function Worth({ question, round, path, change, changeAll, problems }: QuestionFormProps) {
  const { seconds, points, wager, tieBreak } = question;
  const others = (differ: (other: DraftQuestion) => boolean) => round.questions.some((other) => other.kind !== "slide" && differ(other));
  return (
    <>
      <div class="numbers">
        <NumberField
          label="Time"
          unit="seconds"
          value={seconds}
          onInput={(seconds) => change({ seconds }, "seconds")}
          {...bounds.seconds}
          step={1}
          problem={problemAt(problems, `${path}.seconds`)}
        >
          {others((other) => other.seconds !== seconds) && <ForAll what="time" onClick={() => changeAll({ seconds })} />}
        </NumberField>
        {scored(question) && (
          <NumberField
            label="Worth"
            unit={points === 1 || points === 0.5 ? "point" : "points"}
            value={points}
            onInput={(points) => change({ points }, "points")}
            {...bounds.points}
            step={0.5}
            problem={problemAt(problems, `${path}.points`)}
          >
            {others((other) => other.points !== points) && <ForAll what="points" onClick={() => changeAll({ points })} />}
          </NumberField>
        )}
      </div>
      {canBreakTies(question) && (
        <div class="checks">
          {scored(question) && (
            <CheckField
              label="Players stake their own points"
              checked={wager}
              onChange={(wager) => change({ wager })}
              hint="A right answer wins the stake, a wrong one loses it."
              problem={problemAt(problems, `${path}.wager`)}
            />
          )}
          <CheckField
            label="Tie-break"
            checked={tieBreak}
            onChange={(tieBreak) => change({ tieBreak })}
            hint="Earns nothing, but ranks those with equal points."
            problem={problemAt(problems, `${path}.tieBreak`)}
          />
        </div>
      )}
    </>
  );
}

function ForAll({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" class="button button-quiet button-small" onClick={onClick}>
      <span class="visually-hidden">Use this {what} </span>
      <span aria-hidden="true">Same </span>for the whole round
    </button>
  );
}
