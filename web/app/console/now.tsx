import { useContext } from "preact/hooks";
import { Check } from "../lib/icons";
import { rich, t } from "../lib/language";
import { richList } from "../lib/list";
import { OptionMark, optionLetter } from "../lib/option-mark";
import type { Answer, AnswerGroup, HostSnapshot, Question, Round } from "../lib/protocol";
import { QuizLanguage, useOptionsLanguage } from "../lib/quiz-language";
import { numericWords, optionsOf, roundRules } from "../lib/rules";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import type { Drive } from "./use-drive";

interface NowProps {
  session: string;
  snapshot: HostSnapshot;
  drive: Drive;
  /** Opens the marking. */
  mark: () => void;
}

/** What the host knows about what is on the television, and the room does not. */
export function Now(props: NowProps) {
  const { snapshot, mark } = props;
  const { phase, question, answer, distribution, groups, notes, round, voided } = snapshot;
  if (!question || phase === "standings") return <Between {...props} />;
  return (
    <>
      {voided && <p class="notes">{t("This question does not count.")}</p>}
      <Solution question={question} answer={answer} distribution={distribution} />
      {question.kind === "text" && phase !== "open" && <Groups groups={groups ?? []} mark={mark} />}
      {phase === "closed" && round?.pacing === "round" && <p class="aside">{t("The answers come at the round’s end. You can mark already.")}</p>}
      <Notes notes={notes} />
    </>
  );
}

function Between(props: NowProps) {
  const { snapshot } = props;
  switch (snapshot.phase) {
    case "lobby":
      return (
        <p class="aside">
          {t(
            "Open the big screen on the television. Players scan the code with their phones and appear at the right. Start when the room is ready; whoever is late can still join.",
          )}
        </p>
      );
    case "round":
      return (
        <>
          <p class="aside">{t("The room reads about the round. Nothing counts yet.")}</p>
          {snapshot.round && <Rules round={snapshot.round} />}
        </>
      );
    case "standings":
      return <p class="aside">{t("The television shows the first ten, each phone its own rank.")}</p>;
    default:
      return <Results {...props} />;
  }
}

/** What is special about a round. */
export function Rules({ round }: { round: Round }) {
  const rules = roundRules(round);
  if (rules.length === 0) return null;
  return <p class="rules">{rules.join(" · ")}</p>;
}

/** After the end: the ways to the results and to marking again, and the one for everybody to the final standings, if the host wants one. */
function Results({ session, snapshot: { resultsURL }, drive, mark }: NowProps) {
  return (
    <>
      <p class="aside">{t("The evening is over and its results are kept. You can close this page.")}</p>
      <p class="results-link">
        <a class="button button-small" href={`/host/sessions/${session}/results`}>
          {t("See the results")}
        </a>
        <button type="button" class="button button-small" aria-keyshortcuts={keyOf("mark")} onClick={mark}>
          {t("Mark")} <Kbd of="mark" />
        </button>
      </p>
      {resultsURL ? (
        <p class="results-link">
          {rich("Everybody who has this link sees the final standings: {link}", { link: <a href={resultsURL}>{resultsURL}</a> })}
          <button type="button" class="button button-small" onClick={() => void drive.run("hideResults", {})}>
            {t("Take it down")}
          </button>
        </p>
      ) : (
        <p class="results-link">
          <button type="button" class="button button-small" onClick={() => void drive.run("publishResults", {})}>
            {t("Publish the final standings")}
          </button>
          {t("Makes a link for everybody. You can take it down again.")}
        </p>
      )}
    </>
  );
}

interface SolutionProps {
  question: Question;
  answer: Answer | undefined;
  distribution?: number[] | undefined;
}

/** A question's options or accepted answers, with what is right marked. */
export function Solution({ question, answer, distribution }: SolutionProps) {
  const { kind } = question;
  const language = useContext(QuizLanguage);
  const optionsLanguage = useOptionsLanguage(question);
  const options = optionsOf(question);
  const correct = answer?.correct ?? [];
  if (kind === "slide") return <p class="aside">{t("There is nothing to answer.")}</p>;
  if (kind === "number") return answer?.numeric ? <Numeric numeric={answer.numeric} /> : null;
  if (kind === "text") {
    return (
      <p class="accepted">
        <Right />
        {richList(answer?.accepted ?? [], "disjunction", (text, i) => (
          <bdi lang={language} data-first={i === 0 || undefined}>
            {text}
          </bdi>
        ))}
      </p>
    );
  }
  const order = kind === "ordering" && correct.length === options.length ? correct : options.map((_, i) => i);
  return (
    <ol class="solution">
      {order.map((i, place) => (
        <li key={i} data-verdict={kind !== "ordering" && correct.includes(i) ? "right" : undefined}>
          {kind === "ordering" && <span class="tally">{place + 1}.</span>}
          <OptionMark index={i} />
          <span class="visually-hidden">{optionLetter(i)}</span>
          <bdi lang={optionsLanguage}>{options[i]}</bdi>
          {kind !== "ordering" && correct.includes(i) && <Right />}
          {distribution && kind !== "ordering" && <span class="tally">{distribution[i] ?? 0}</span>}
        </li>
      ))}
    </ol>
  );
}

function Numeric({ numeric }: { numeric: NonNullable<Answer["numeric"]> }) {
  const { right, leeway } = numericWords(numeric);
  return (
    <p class="accepted">
      <Right />
      <bdi data-first>{right}</bdi> {leeway}
    </p>
  );
}

function Groups({ groups, mark }: { groups: AnswerGroup[]; mark: () => void }) {
  if (groups.length === 0) return <p class="aside">{t("Nobody answered.")}</p>;
  return (
    <ol class="groups" aria-label={t("What was typed")} onClick={mark}>
      {groups.map((group) => (
        <li key={group.key} data-verdict={group.verdict === "wrong" ? undefined : group.verdict}>
          <span class="tally">{group.count} ×</span>
          <bdi>{group.text}</bdi>
          {group.verdict === "right" ? <Right /> : <span class="verdict">{group.verdict === "part" ? t("Half") : t("Wrong")}</span>}
        </li>
      ))}
    </ol>
  );
}

function Right() {
  return (
    <span class="verdict" data-right>
      <Check /> {t("Right")}
    </span>
  );
}

export function Notes({ notes }: { notes: string | undefined }) {
  if (!notes) return null;
  return (
    <p class="notes">
      <span class="label">{t("Notes")}</span> <bdi>{notes}</bdi>
    </p>
  );
}
