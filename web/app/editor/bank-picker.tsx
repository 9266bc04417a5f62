import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../lib/language";
import type { QuizQuestion } from "../lib/protocol";
import { bankKey, type BankQuestion, type BankReply, byRound, searchBank } from "./bank";
import { kindMarks } from "./kinds";

/** How long, in milliseconds, typing must rest before it is searched for. */
const rest = 250;

/** The author's questions of all quizzes, to search and to pick from. */
export function BankPicker({ add }: { add: (questions: QuizQuestion[]) => void }) {
  const [words, setWords] = useState("");
  const [tag, setTag] = useState("");
  const [found, setFound] = useState<BankReply | { reason: string }>();
  const [picked, setPicked] = useState<ReadonlyMap<string, QuizQuestion>>(new Map());
  const id = useId();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const reply = await searchBank(words, tag, abort.signal);
      if (!abort.signal.aborted) setFound(reply);
    }, words === "" ? 0 : rest);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [words, tag]);
  const pick = (questions: readonly BankQuestion[], on: boolean) => {
    const next = new Map(picked);
    for (const question of questions) {
      if (on) next.set(bankKey(question), question.question);
      else next.delete(bankKey(question));
    }
    setPicked(next);
  };
  const tags = found && "tags" in found ? found.tags : [];
  return (
    <>
      <div class="bank-search">
        <div class="field">
          <label for={id}>{t("Words in them")}</label>
          <input id={id} class="input" type="search" value={words} autocomplete="off" autofocus onInput={(event) => setWords(event.currentTarget.value)} />
        </div>
        {(tags.length > 0 || tag !== "") && (
          <div class="field">
            <label for={`${id}-tag`}>{t("Tag")}</label>
            <select id={`${id}-tag`} class="input" value={tag} onChange={(event) => setTag(event.currentTarget.value)}>
              <option value="">{t("Any")}</option>
              {(tags.includes(tag) || tag === "" ? tags : [tag, ...tags]).map((of) => (
                <option key={of} value={of}>
                  {of}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <div class="bank" tabIndex={0} role="region" aria-label={t("Questions found")}>
        <Found found={found} searching={words !== "" || tag !== ""} picked={picked} pick={pick} />
      </div>
      <div class="adding-foot">
        <p role="status">{picked.size > 0 ? t({ one: "{n} question picked", other: "{n} questions picked" }, { n: picked.size }) : t("Nothing picked yet")}</p>
        <button type="button" class="button button-primary" disabled={picked.size === 0} onClick={() => add([...picked.values()])}>
          {picked.size > 0 ? t({ one: "Add {n} question", other: "Add {n} questions" }, { n: picked.size }) : t("Add")}
        </button>
      </div>
    </>
  );
}

interface FoundProps {
  found: BankReply | { reason: string } | undefined;
  searching: boolean;
  picked: ReadonlyMap<string, QuizQuestion>;
  pick: (questions: readonly BankQuestion[], on: boolean) => void;
}

function Found({ found, searching, picked, pick }: FoundProps) {
  if (!found) return <p class="empty waits">{t("Looking…")}</p>;
  if ("reason" in found) {
    return (
      <p class="empty" role="alert">
        {found.reason}
      </p>
    );
  }
  if (found.questions.length === 0) {
    return <p class="empty">{searching ? t("None of your questions has that in it.") : t("You have not written any questions yet.")}</p>;
  }
  return (
    <>
      {byRound(found.questions).map((round) => (
        <RoundFound key={bankKey(round[0]!)} round={round} picked={picked} pick={pick} />
      ))}
      {found.more && <p class="empty">{t("There are more than these. Type another word to find the one you want.")}</p>}
    </>
  );
}

function RoundFound({ round, picked, pick }: Pick<FoundProps, "picked" | "pick"> & { round: readonly BankQuestion[] }) {
  const [{ quiz, round: of }] = round as [BankQuestion];
  const all = round.every((question) => picked.has(bankKey(question)));
  return (
    <section class="bank-round">
      <label class="pick is-all">
        <input type="checkbox" checked={all} onChange={(event) => pick(round, event.currentTarget.checked)} />
        <span>
          <bdi>{quiz.title || t("Untitled quiz")}</bdi> · <bdi>{of.title || t("Round {number}", { number: of.number })}</bdi>
        </span>
      </label>
      <ul>
        {round.map((found) => (
          <li key={bankKey(found)}>
            <label class="pick">
              <input type="checkbox" checked={picked.has(bankKey(found))} onChange={(event) => pick([found], event.currentTarget.checked)} />
              <bdi class="what">{found.question.text || t("A question without words")}</bdi>
              <span class="kind-mark">{kindMarks[found.question.kind]}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
