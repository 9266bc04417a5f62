import { t } from "../lib/language";
import type { Media } from "../lib/protocol";
import { Answers, type AnswersProps } from "./answers";
import { bounds, canBreakTies, type DraftQuestion, type DraftRound, scored } from "./draft";
import { CheckField, Group, NumberField, pointsUnit, TagsField, TextField } from "./fields";
import { kinds } from "./kinds";
import { MediaField } from "./media-field";
import { problemAt } from "./problems";
import type { Uploads } from "./use-uploads";

/** Longer questions are shown smaller than is legible from everywhere in the room. */
const comfortable = 150;

interface QuestionFormProps extends AnswersProps {
  round: DraftRound;
  uploads: Uploads;
  changeAll: (change: Pick<DraftQuestion, "seconds"> | Pick<DraftQuestion, "points">) => void;
}

export function QuestionForm(props: QuestionFormProps) {
  const { question, path, change, problems, uploads } = props;
  const { kind, text } = question;
  return (
    <>
      <Group legend={t("Kind")} hint={kinds.find((of) => of.kind === kind)?.about} problem={problemAt(problems, `${path}.kind`)}>
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
        label={kind === "slide" ? t("Text") : kind === "trueFalse" ? t("Statement") : t("Question")}
        value={text}
        onInput={(text) => change({ text }, "text")}
        max={bounds.text}
        rows={2}
        hint={text.length > comfortable ? t("This long, it gets small on the television.") : undefined}
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
        label={t("Notes")}
        value={question.notes}
        onInput={(notes) => change({ notes }, "notes")}
        max={bounds.notes}
        rows={2}
        hint={t("Only you see them, on the console.")}
        problem={problemAt(problems, `${path}.notes`)}
      />
      <TagsField
        value={question.tags}
        onInput={(tags) => change({ tags }, "tags")}
        hint={t("To find it again: history, easy.")}
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
          label={t("Time")}
          unit={t("seconds")}
          value={seconds}
          onInput={(seconds) => change({ seconds }, "seconds")}
          {...bounds.seconds}
          step={1}
          problem={problemAt(problems, `${path}.seconds`)}
        >
          {others((other) => other.seconds !== seconds) && <ForAll label={t("Same for the whole round: the time")} onClick={() => changeAll({ seconds })} />}
        </NumberField>
        {scored(question) && (
          <NumberField
            label={t("Worth")}
            unit={pointsUnit(points)}
            value={points}
            onInput={(points) => change({ points }, "points")}
            {...bounds.points}
            step={0.5}
            problem={problemAt(problems, `${path}.points`)}
          >
            {others((other) => other.points !== points) && <ForAll label={t("Same for the whole round: the points")} onClick={() => changeAll({ points })} />}
          </NumberField>
        )}
      </div>
      {canBreakTies(question) && (
        <div class="checks">
          {scored(question) && (
            <CheckField
              label={t("Players stake their own points")}
              checked={wager}
              onChange={(wager) => change({ wager })}
              hint={t("A right answer wins the stake, a wrong one loses it.")}
              problem={problemAt(problems, `${path}.wager`)}
            />
          )}
          <CheckField
            label={t("Tie-break")}
            checked={tieBreak}
            onChange={(tieBreak) => change({ tieBreak })}
            hint={t("Earns nothing, but ranks those with equal points.")}
            problem={problemAt(problems, `${path}.tieBreak`)}
          />
        </div>
      )}
    </>
  );
}

function ForAll({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="button button-quiet button-small" aria-label={label} onClick={onClick}>
      {t("Same for the whole round")}
    </button>
  );
}
