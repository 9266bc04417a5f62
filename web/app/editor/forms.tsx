import type { ContentProblem, Media } from "../lib/protocol";
import { bounds, type Draft, type DraftRound } from "./draft";
import { CheckField, Group, NumberField, SelectField, TagsField, TextField } from "./fields";
import { languageName, languages } from "./languages";
import { MediaField } from "./media-field";
import { problemAt } from "./problems";
import { Sharing, type SharingProps } from "./sharing";
import type { Uploads } from "./use-uploads";

interface QuizFormProps {
  draft: Draft;
  change: (change: Partial<Draft>, field?: string) => void;
  problems: readonly ContentProblem[];
  sharing: SharingProps;
}

const teams = [
  { teams: "", label: "One phone for each team" },
  { teams: "first", label: "Several phones; the first answer counts" },
  { teams: "captain", label: "Several phones; the captain’s answer counts" },
] as const;

export function QuizForm({ draft, change, problems, sharing }: QuizFormProps) {
  const none = problemAt(problems, "rounds");
  return (
    <>
      <TextField
        label="Title"
        value={draft.title}
        onInput={(title) => change({ title }, "title")}
        max={bounds.title}
        hint="Players see it when they join."
        problem={problemAt(problems, "title")}
      />
      {none && <p class="field-problem">{none}</p>}
      <Group legend="Phones" problem={problemAt(problems, "teams")}>
        <div class="choices">
          {teams.map(({ teams, label }) => (
            <label key={teams} class="kind">
              <input type="radio" name="teams" checked={draft.teams === teams} onChange={() => change({ teams })} />
              {label}
            </label>
          ))}
        </div>
      </Group>
      <CheckField
        label="Faster teams win ties"
        checked={draft.tiesByTime}
        onChange={(tiesByTime) => change({ tiesByTime })}
        hint="Teams with equal points are ranked by the time that all their answers took. Otherwise they share a rank."
      />
      <div class="numbers">
        <SelectField
          label="Language"
          value={draft.language}
          options={[["", "Not said"], ...listed(draft.language).map((tag) => [tag, languageName(tag)] as const)]}
          onChange={(language) => change({ language })}
          hint="Of the questions, for screen readers."
          problem={problemAt(problems, "language")}
        />
        <TagsField
          value={draft.tags}
          onInput={(tags) => change({ tags }, "tags")}
          hint="To find it again: pub, christmas."
          problem={problemAt(problems, "tags")}
        />
      </div>
      <Sharing {...sharing} />
      <p>
        <a href={`/host/quizzes/${sharing.quiz}/print`}>Print it, or download it</a>
      </p>
    </>
  );
}

/** The languages to choose from; one that was imported and is not among them stays. */
function listed(language: string): readonly string[] {
  return language === "" || languages.includes(language) ? languages : [language, ...languages];
}

interface RoundFormProps {
  round: DraftRound;
  path: string;
  change: (change: Partial<DraftRound>, field?: string) => void;
  problems: readonly ContentProblem[];
  uploads: Uploads;
}

const weights = Array.from({ length: bounds.weight.most }, (_, i) => [String(i + 1), ["once", "double", "three times"][i] ?? `${i + 1} times`] as const);

export function RoundForm({ round, path, change, problems, uploads }: RoundFormProps) {
  const none = problemAt(problems, `${path}.questions`);
  const at = (field: string) => problemAt(problems, `${path}.${field}`);
  return (
    <>
      <TextField label="Title" value={round.title} onInput={(title) => change({ title }, "title")} max={bounds.title} problem={at("title")} />
      <TextField
        label="Introduction"
        value={round.introduction}
        onInput={(introduction) => change({ introduction }, "introduction")}
        max={bounds.introduction}
        rows={3}
        hint="Shown on the television before the first question. May stay empty."
        problem={at("introduction")}
      />
      <MediaField
        owner={round.key}
        media={round.picture}
        taken={["image"]}
        uploads={uploads}
        change={(picture: Media | undefined, field) => change({ picture }, field)}
      />
      {none && <p class="field-problem">{none}</p>}
      <Group legend="When are the answers revealed?" problem={at("pacing")}>
        <div class="choices">
          {[false, true].map((atEnd) => (
            <label key={String(atEnd)} class="kind">
              <input type="radio" name={`pacing-${round.key}`} checked={round.atEnd === atEnd} onChange={() => change({ atEnd })} />
              {atEnd ? "All when the round ends, as on paper" : "After each question"}
            </label>
          ))}
        </div>
      </Group>
      <div class="numbers">
        <SelectField label="The round counts" value={String(round.weight)} options={weights} onChange={(weight) => change({ weight: Number(weight) })} problem={at("weight")} />
        <NumberField
          label="A wrong answer costs"
          unit={round.negative === 1 || round.negative === 0.5 ? "point" : "points"}
          value={round.negative}
          onInput={(negative) => change({ negative }, "negative")}
          {...bounds.negative}
          step={0.5}
          problem={at("negative")}
        />
      </div>
      <div class="checks">
        <CheckField
          label="Teams may play their joker"
          checked={round.joker}
          onChange={(joker) => change({ joker })}
          hint="Each may double one round of the evening, chosen before it starts."
        />
        <CheckField
          label="Fast answers earn more"
          checked={round.speed}
          onChange={(speed) => change({ speed })}
          hint="All the points at once, half of them at the last moment. It favours small teams."
        />
      </div>
    </>
  );
}
