import type { ContentProblem } from "../lib/protocol";
import { bounds, type Draft, type DraftRound } from "./draft";
import { TextField } from "./fields";
import { problemAt } from "./problems";

interface QuizFormProps {
  draft: Draft;
  change: (title: string) => void;
  problems: readonly ContentProblem[];
}

export function QuizForm({ draft, change, problems }: QuizFormProps) {
  return (
    <>
      <TextField
        label="Title"
        value={draft.title}
        onInput={change}
        max={bounds.title}
        hint="Players see it when they join."
        problem={problemAt(problems, "title")}
      />
      {problemAt(problems, "rounds") && <p class="field-problem">{problemAt(problems, "rounds")}</p>}
    </>
  );
}

interface RoundFormProps {
  round: DraftRound;
  path: string;
  change: (change: Partial<DraftRound>) => void;
  problems: readonly ContentProblem[];
}

export function RoundForm({ round, path, change, problems }: RoundFormProps) {
  const none = problemAt(problems, `${path}.questions`);
  return (
    <>
      <TextField
        label="Title"
        value={round.title}
        onInput={(title) => change({ title })}
        max={bounds.title}
        problem={problemAt(problems, `${path}.title`)}
      />
      <TextField
        label="Introduction"
        value={round.introduction}
        onInput={(introduction) => change({ introduction })}
        max={bounds.introduction}
        rows={4}
        hint="Shown on the television before the first question. May stay empty."
        problem={problemAt(problems, `${path}.introduction`)}
      />
      {none && <p class="field-problem">{none}</p>}
    </>
  );
}
