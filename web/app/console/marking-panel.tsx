import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { Check, Cross, Down, Part, Up } from "../lib/icons";
import { rich, t } from "../lib/language";
import { richList } from "../lib/list";
import type { AnswerGroup, Decision, HostSnapshot, MarkedQuestion, Verdict } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { pointsLong } from "../lib/words";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import { firstSpot, isOpen, lastMarked, type Spot, spots, toLookAt } from "./marking";
import { useMarking } from "./use-marking";

interface MarkingPanelProps {
  session: string;
  snapshot: HostSnapshot;
  close: () => void;
}

const decisions: readonly { decision: Decision; label: string }[] = [
  { decision: "right", label: t("Accept") },
  { decision: "half", label: t("Half") },
  { decision: "wrong", label: t("Refuse") },
  { decision: "machine", label: t("Undo") },
];

/** Typed answers, grouped by what they read as, the most common first. One key decides about a group and goes on to the next. */
export function MarkingPanel({ session, snapshot, close }: MarkingPanelProps) {
  const playing = snapshot.round?.number ?? 1;
  const [round, setRound] = useState(lastMarked(snapshot) || playing);
  const { questions, problem, decide } = useMarking(session, round, snapshot.version);
  const all = spots(questions ?? []);
  const [at, go] = useState<string>(); // the group that is looked at
  const here = Math.max(0, all.findIndex((spot) => nameOf(spot) === at));
  const list = useRef<HTMLDivElement>(null);
  const spot = all[here];
  const open = toLookAt(all.map(({ group }) => group));
  const typing = snapshot.phase === "open" && snapshot.question?.kind === "text" && round === playing;

  useEffect(() => {
    const first = all[startAt(all, snapshot)];
    if (first) go(nameOf(first));
    list.current?.focus();
  }, [questions === undefined, round]);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at]);

  const walk = (step: number) => {
    const next = all[here + step];
    if (next) go(nameOf(next));
  };
  const take = (decision: Decision) => {
    if (!spot) return;
    decide(spot.question.id, spot.group.key, decision);
    if (decision !== "machine") walk(1);
  };
  return (
    <section class="card marking" aria-labelledby="marking">
      <header class="marking-top">
        <h2 id="marking">{t("Mark what was typed")}</h2>
        <p class="aside">{all.length === 0 ? "" : open > 0 ? t("{count} to look at", { count: open }) : t("All looked at")}</p>
        <div class="rounds">
          <button type="button" class="chip" aria-label={t("Round before")} disabled={round <= 1} onClick={() => setRound(round - 1)}>
            ‹
          </button>
          {t("Round {number}", { number: round })}
          <button type="button" class="chip" aria-label={t("Round after")} disabled={round >= playing} onClick={() => setRound(round + 1)}>
            ›
          </button>
        </div>
        <button type="button" class="button button-small" aria-keyshortcuts={keyOf("mark")} onClick={close}>
          {t("Done")} <Kbd of="mark" />
        </button>
      </header>
      {questions !== undefined && typing && <p class="aside">{t("What is typed now comes here when the question closes.")}</p>}
      <div
        ref={list}
        class="scrolls groups-list"
        role={questions?.length === 0 ? "group" : "listbox"}
        aria-label={t("What was typed, by question")}
        aria-activedescendant={spot && `group-${here}`}
        tabIndex={0}
      >
        {questions?.map((question) => (
          <Question key={question.id} question={question} from={all.findIndex((other) => other.question === question)} here={here} go={go} />
        ))}
        {questions === undefined && !problem && <p class="aside waits">{t("Reading what was typed…")}</p>}
        {questions?.length === 0 && !typing && <p class="aside">{t("Nothing was typed in this round so far.")}</p>}
      </div>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <footer class="decisions" role="group" aria-label={t("Decide")}>
        {decisions.map(({ decision, label }) => (
          <button key={decision} type="button" class="button" disabled={!spot} aria-keyshortcuts={keyOf(decision)} onClick={() => take(decision)}>
            {label} <Kbd of={decision} />
          </button>
        ))}
        <button type="button" class="button button-quiet" aria-keyshortcuts={keyOf("up")} onClick={() => walk(-1)}>
          <Up /> <span class="visually-hidden">{t("Up")}</span> <Kbd of="up" />
        </button>
        <button type="button" class="button button-quiet" aria-keyshortcuts={keyOf("down")} onClick={() => walk(1)}>
          <Down /> <span class="visually-hidden">{t("Down")}</span> <Kbd of="down" />
        </button>
      </footer>
      <Announcement text={spot ? groupWords(spot.group) : ""} />
    </section>
  );
}

function nameOf({ question, group }: Spot): string {
  return `${question.id} ${group.key}`;
}

function groupWords({ count, text, verdict }: AnswerGroup): string {
  return t({ one: "{n} time {text}: {verdict}", other: "{n} times {text}: {verdict}" }, { n: count, text, verdict: verdictNames[verdict] });
}

/** At what is to be looked at of the question on the television, or of any. */
function startAt(all: readonly Spot[], { question }: HostSnapshot): number {
  const here = all.findIndex((spot) => spot.question.id === question?.id && isOpen(spot.group));
  return here >= 0 ? here : firstSpot(all);
}

interface QuestionProps {
  question: MarkedQuestion;
  /** The place of its first group among all. */
  from: number;
  here: number;
  go: (name: string) => void;
}

function Question({ question, from, here, go }: QuestionProps) {
  const { number, text, accepted = [], points, voided, status, groups } = question;
  const language = useContext(QuizLanguage);
  const state = voided ? t("does not count") : status === "closed" ? t("not revealed yet") : undefined;
  return (
    <div class="marked" role="group" aria-label={t("Question {number}", { number })}>
      <p class="asks">
        {number}. <bdi lang={language}>{text}</bdi>
      </p>
      <p class="aside">
        {pointsLong(points)}
        {state && ` · ${state}`} ·{" "}
        {rich("right: {answers}", {
          answers: richList(accepted, "disjunction", (answer) => (
            <bdi class="accepted-answer" lang={language}>
              {answer}
            </bdi>
          )),
        })}
      </p>
      {groups.length === 0 && <p class="aside">{t("Nobody answered.")}</p>}
      {groups.map((group, i) => (
        <div
          key={group.key}
          id={`group-${from + i}`}
          class="group"
          role="option"
          aria-selected={from + i === here}
          data-verdict={group.verdict}
          data-open={isOpen(group) ? "" : undefined}
          onClick={() => go(nameOf({ question, group }))}
        >
          <span class="tally">{group.count} ×</span>
          <bdi>{group.text}</bdi>
          <GroupVerdict group={group} />
        </div>
      ))}
    </div>
  );
}

const verdictNames: Record<Verdict, string> = { right: t("right"), part: t("half"), wrong: t("wrong") };
const verdictIcons = { right: Check, part: Part, wrong: Cross };

function GroupVerdict({ group: { verdict, by } }: { group: AnswerGroup }) {
  const Icon = verdictIcons[verdict];
  return (
    <span class="verdict">
      <Icon /> {verdictNames[verdict]}
      <span class="by">{by === "host" ? t("by you") : t("machine")}</span>
    </span>
  );
}
