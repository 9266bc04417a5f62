import type { ContentProblem, Kind } from "../lib/protocol";
import { AcceptedFields, OptionFields, TrueFalseFields } from "./answers";
import { bounds, type DraftQuestion } from "./draft";
import { Group, NumberField, TextField } from "./fields";
import { problemAt } from "./problems";

const kinds: readonly { kind: Kind; label: string }[] = [
  { kind: "single", label: "Single choice" },
  { kind: "trueFalse", label: "True or false" },
  { kind: "text", label: "Typed answer" },
];

/** Longer questions are shown smaller than is legible from everywhere in the room. */
const comfortable = 150;

export interface QuestionFormProps {
  question: DraftQuestion;
  path: string;
  change: (change: Partial<DraftQuestion>) => void;
  problems: readonly ContentProblem[];
}

export function QuestionForm(props: QuestionFormProps) {
  const { question, path, change, problems } = props;
  return (
    <>
      <Group legend="Kind" problem={problemAt(problems, `${path}.kind`)}>
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
        label="Question"
        value={question.text}
        onInput={(text) => change({ text })}
        max={bounds.text}
        rows={2}
        hint={question.text.length > comfortable ? "This long, it gets small on the television." : undefined}
        problem={problemAt(problems, `${path}.text`)}
      />
      <Answers {...props} />
      <div class="numbers">
        <NumberField
          label="Time"
          unit="seconds"
          value={question.seconds}
          onInput={(seconds) => change({ seconds })}
          {...bounds.seconds}
          step={1}
          problem={problemAt(problems, `${path}.seconds`)}
        />
        <NumberField
          label="Worth"
          unit={question.points === 1 || question.points === 0.5 ? "point" : "points"}
          value={question.points}
          onInput={(points) => change({ points })}
          {...bounds.points}
          step={0.5}
          problem={problemAt(problems, `${path}.points`)}
        />
      </div>
      <TextField
        label="Notes"
        value={question.notes}
        onInput={(notes) => change({ notes })}
        max={bounds.notes}
        rows={2}
        hint="Only you see them, on the console."
        problem={problemAt(problems, `${path}.notes`)}
      />
    </>
  );
}

function Answers(props: QuestionFormProps) {
  switch (props.question.kind) {
    case "single":
      return <OptionFields {...props} />;
    case "trueFalse":
      return <TrueFalseFields {...props} />;
    case "text":
      return <AcceptedFields {...props} />;
    default:
      return null;
  }
}
