import { Check } from "../lib/icons";
import { OptionMark, optionLetter } from "../lib/option-mark";
import type { Answer, AnswerGroup, HostSnapshot, Question } from "../lib/protocol";

/** What the host knows about what is on the television, and the room does not. */
export function Now({ snapshot }: { snapshot: HostSnapshot }) {
  const { phase, question, answer, distribution, groups, notes } = snapshot;
  if (!question || phase === "standings") return <Between snapshot={snapshot} />;
  return (
    <>
      <Solution question={question} answer={answer} distribution={distribution} />
      {question.kind === "text" && phase !== "open" && <Groups groups={groups ?? []} />}
      <Notes notes={notes} />
    </>
  );
}

function Between({ snapshot }: { snapshot: HostSnapshot }) {
  switch (snapshot.phase) {
    case "lobby":
      return (
        <p class="aside">
          Open the big screen on the television. Players scan the code with their phones and appear at the right. Start when the room
          is ready; whoever is late can still join.
        </p>
      );
    case "round":
      return <p class="aside">The room reads about the round. Nothing counts yet.</p>;
    case "standings":
      return <p class="aside">The television shows the first ten, each phone its own rank.</p>;
    default:
      return <p class="aside">The evening is over and its results are kept. You can close this page.</p>;
  }
}

interface SolutionProps {
  question: Question;
  answer: Answer | undefined;
  distribution?: number[] | undefined;
}

/** A question's options or accepted answers, with what is right marked. */
export function Solution({ question, answer, distribution }: SolutionProps) {
  if (!question.options?.length) {
    return (
      <p class="accepted">
        <Right />
        {answer?.accepted?.map((text, i) => (
          <bdi key={text} data-first={i === 0 || undefined}>
            {text}
          </bdi>
        ))}
      </p>
    );
  }
  return (
    <ol class="solution">
      {question.options.map((option, i) => (
        <li key={i} data-verdict={answer?.correct?.includes(i) ? "right" : undefined}>
          <OptionMark index={i} />
          <span class="visually-hidden">{optionLetter(i)}</span>
          <bdi>{option}</bdi>
          {answer?.correct?.includes(i) && <Right />}
          {distribution && <span class="tally">{distribution[i] ?? 0}</span>}
        </li>
      ))}
    </ol>
  );
}

function Groups({ groups }: { groups: AnswerGroup[] }) {
  if (groups.length === 0) return <p class="aside">Nobody answered.</p>;
  return (
    <ol class="groups" aria-label="What was typed">
      {groups.map((group) => (
        <li key={group.key} data-verdict={group.verdict === "wrong" ? undefined : "right"}>
          <span class="tally">{group.count} ×</span>
          <bdi>{group.text}</bdi>
          {group.verdict === "right" ? <Right /> : <span class="verdict">{group.verdict === "part" ? "Half" : "Wrong"}</span>}
        </li>
      ))}
    </ol>
  );
}

function Right() {
  return (
    <span class="verdict" data-right>
      <Check /> Right
    </span>
  );
}

export function Notes({ notes }: { notes: string | undefined }) {
  if (!notes) return null;
  return (
    <p class="notes">
      <span class="label">Notes</span> <bdi>{notes}</bdi>
    </p>
  );
}
