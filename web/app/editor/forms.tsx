import { t } from "../lib/language";
import type { ContentProblem, Media } from "../lib/protocol";
import { bounds, type Draft, type DraftRound } from "./draft";
import { CheckField, Group, NumberField, pointsUnit, SelectField, TagsField, TextField } from "./fields";
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
  { teams: "", label: t("One phone for each team") },
  { teams: "first", label: t("Several phones; the first answer counts") },
  { teams: "captain", label: t("Several phones; the captain’s answer counts") },
] as const;

export function QuizForm({ draft, change, problems, sharing }: QuizFormProps) {
  const none = problemAt(problems, "rounds");
  return (
    <>
      <TextField
        label={t("Title")}
        value={draft.title}
        onInput={(title) => change({ title }, "title")}
        max={bounds.title}
        hint={t("Players see it when they join.")}
        problem={problemAt(problems, "title")}
      />
      {none && <p class="field-problem">{none}</p>}
      <Group legend={t("Phones")} problem={problemAt(problems, "teams")}>
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
        label={t("Faster teams win ties")}
        checked={draft.tiesByTime}
        onChange={(tiesByTime) => change({ tiesByTime })}
        hint={t("Teams with equal points are ranked by the time that all their answers took. Otherwise they share a rank.")}
      />
      <div class="numbers">
        <SelectField
          label={t("Language")}
          value={draft.language}
          options={[["", t("Not said")], ...listed(draft.language).map((tag) => [tag, languageName(tag)] as const)]}
          onChange={(language) => change({ language })}
          hint={t("Of the questions, for screen readers.")}
          problem={problemAt(problems, "language")}
        />
        <TagsField
          value={draft.tags}
          onInput={(tags) => change({ tags }, "tags")}
          hint={t("To find it again: pub, christmas.")}
          problem={problemAt(problems, "tags")}
        />
      </div>
      <Sharing {...sharing} />
      <p>
        <a href={`/host/quizzes/${sharing.quiz}/print`}>{t("Print it, or download it")}</a>
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

const weights = Array.from({ length: bounds.weight.most }, (_, i) => [String(i + 1), [t("once"), t("double"), t("three times")][i] ?? t({ one: "{n} time", other: "{n} times" }, { n: i + 1 })] as const);

export function RoundForm({ round, path, change, problems, uploads }: RoundFormProps) {
  const none = problemAt(problems, `${path}.questions`);
  const at = (field: string) => problemAt(problems, `${path}.${field}`);
  return (
    <>
      <TextField label={t("Title")} value={round.title} onInput={(title) => change({ title }, "title")} max={bounds.title} problem={at("title")} />
      <TextField
        label={t("Introduction")}
        value={round.introduction}
        onInput={(introduction) => change({ introduction }, "introduction")}
        max={bounds.introduction}
        rows={3}
        hint={t("Shown on the television before the first question. May stay empty.")}
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
      <Group legend={t("When are the answers revealed?")} problem={at("pacing")}>
        <div class="choices">
          {[false, true].map((atEnd) => (
            <label key={String(atEnd)} class="kind">
              <input type="radio" name={`pacing-${round.key}`} checked={round.atEnd === atEnd} onChange={() => change({ atEnd })} />
              {atEnd ? t("All when the round ends, as on paper") : t("After each question")}
            </label>
          ))}
        </div>
      </Group>
      <div class="numbers">
        <SelectField label={t("The round counts")} value={String(round.weight)} options={weights} onChange={(weight) => change({ weight: Number(weight) })} problem={at("weight")} />
        <NumberField
          label={t("A wrong answer costs")}
          unit={pointsUnit(round.negative)}
          value={round.negative}
          onInput={(negative) => change({ negative }, "negative")}
          {...bounds.negative}
          step={0.5}
          problem={at("negative")}
        />
      </div>
      <div class="checks">
        <CheckField
          label={t("Teams may play their joker")}
          checked={round.joker}
          onChange={(joker) => change({ joker })}
          hint={t("Each may double one round of the evening, chosen before it starts.")}
        />
        <CheckField
          label={t("Fast answers earn more")}
          checked={round.speed}
          onChange={(speed) => change({ speed })}
          hint={t("All the points at once, half of them at the last moment. It favours small teams.")}
        />
      </div>
    </>
  );
}
