import { t } from "../lib/language";
import type { ContentProblem } from "../lib/protocol";
import { bounds, type DraftNumber, type DraftQuestion, replaced, without } from "./draft";
import { Add, Entry } from "./entries";
import { CheckField, Group, NumberField, TextField } from "./fields";
import { OptionFields } from "./options";
import { problemAt } from "./problems";

export interface AnswersProps {
  question: DraftQuestion;
  path: string;
  /** The field names what is typed in. */
  change: (change: Partial<DraftQuestion>, field?: string) => void;
  problems: readonly ContentProblem[];
  say: (text: string) => void;
}

/** What is right, as the question's kind asks. */
export function Answers(props: AnswersProps) {
  switch (props.question.kind) {
    case "trueFalse":
      return <TrueFalseFields {...props} />;
    case "text":
      return <AcceptedFields {...props} />;
    case "number":
      return <NumberFields {...props} />;
    case "slide":
      return null;
    default:
      return <OptionFields {...props} />;
  }
}

function TrueFalseFields({ question, path, change, problems }: AnswersProps) {
  return (
    <Group legend={t("What is right?")} problem={problemAt(problems, `${path}.correct`)}>
      <div class="kinds">
        {[true, false].map((truth) => (
          <label key={String(truth)} class="kind">
            <input type="radio" name={`right-${question.key}`} checked={question.truth === truth} onChange={() => change({ truth })} />
            {truth ? t("True") : t("False")}
          </label>
        ))}
      </div>
    </Group>
  );
}

/** The typed answers that count as right. */
function AcceptedFields({ question: { accepted, surnames, exact }, path, change, problems }: AnswersProps) {
  return (
    <Group
      legend={t("Accepted answers")}
      hint={t("The first is the one that is shown. Capitals, accents, articles and punctuation never matter.")}
      problem={problemAt(problems, `${path}.accepted`)}
    >
      <ol class="entries">
        {accepted.map((text, i) => (
          <Entry
            key={i}
            name={t("Accepted answer {number}", { number: i + 1 })}
            value={text}
            max={bounds.accepted}
            problem={problemAt(problems, `${path}.accepted[${i}]`)}
            onInput={(value) => change({ accepted: replaced(accepted, i, () => value) }, `accepted ${i}`)}
            removal={t("Remove accepted answer {number}", { number: i + 1 })}
            remove={accepted.length > 1 ? () => change({ accepted: without(accepted, i) }) : undefined}
          />
        ))}
      </ol>
      {accepted.length < bounds.acceptedMost && (
        <Add label={t("Accept another answer")} onClick={() => change({ accepted: [...accepted, ""] })} />
      )}
      <CheckField
        label={t("A surname is enough")}
        checked={surnames}
        onChange={(surnames) => change({ surnames })}
        hint={t("“Curie” is right where “Marie Curie” is.")}
      />
      <CheckField
        label={t("No typing errors forgiven")}
        checked={exact}
        onChange={(exact) => change({ exact })}
        hint={t("Otherwise a letter or two off still counts in longer answers.")}
      />
    </Group>
  );
}

function NumberFields({ question, path, change, problems }: AnswersProps) {
  const { number } = question;
  const become = (next: Partial<DraftNumber>, field?: string) => change({ number: { ...number, ...next } }, field);
  const { number: most } = bounds;
  const at = (field: string) => problemAt(problems, `${path}.number${field}`);
  return (
    <Group legend={t("What is right?")}>
      <div class="numbers">
        <NumberField
          label={t("The number")}
          value={number.value}
          onInput={(value) => become({ value }, "number")}
          onEmpty={() => become({ value: undefined }, "number")}
          least={-most}
          most={most}
          problem={at(".value") ?? at("")}
        />
        <TextField label={t("Unit")} value={number.unit} onInput={(unit) => become({ unit }, "unit")} max={bounds.unit} hint={t("Shown beside it: km, years.")} problem={at(".unit")} />
      </div>
      <Group legend={t("Who is right?")}>
        <div class="choices">
          <label class="kind">
            <input type="radio" name={`nearest-${question.key}`} checked={!number.nearest} onChange={() => become({ nearest: false })} />
            {t("Everyone within a margin")}
          </label>
          <label class="kind">
            <input type="radio" name={`nearest-${question.key}`} checked={number.nearest} onChange={() => become({ nearest: true })} />
            {t("Whoever is nearest")}
          </label>
        </div>
        {!number.nearest && (
          <NumberField
            label={t("Margin either way")}
            {...(number.unit && { unit: number.unit })}
            value={number.tolerance}
            onInput={(tolerance) => become({ tolerance }, "tolerance")}
            least={0}
            most={most}
            hint={t("0: only the number itself is right.")}
            problem={at(".tolerance")}
          />
        )}
      </Group>
    </Group>
  );
}
