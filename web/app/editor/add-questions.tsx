import { useEffect, useRef, useState } from "preact/hooks";
import { Cross } from "../lib/icons";
import { rich, t } from "../lib/language";
import { BankPicker } from "./bank-picker";
import { draftQuestion, draftRound, type DraftQuestion, type DraftRound } from "./draft";
import { PasteBox } from "./paste-box";

export type Added = { questions: DraftQuestion[] } | { rounds: DraftRound[] };

interface AddQuestionsProps {
  /** The name of the round that they are for. */
  round: string;
  add: (what: Added) => void;
  close: () => void;
}

/** Several questions at once: from the author's other quizzes, or from a list or file. */
export function AddQuestions({ round, add, close }: AddQuestionsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [from, setFrom] = useState<"bank" | "paste">("bank");
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="adding" ref={dialog} aria-labelledby="adding" onClose={close}>
      <div class="adding-top">
        <h2 id="adding">
          {rich("Add to {round}", { round: <bdi>{round}</bdi> })}
        </h2>
        <button type="button" class="button button-quiet button-icon" aria-label={t("Close")} onClick={() => dialog.current?.close()}>
          <Cross />
        </button>
      </div>
      <fieldset class="segments">
        <legend class="visually-hidden">{t("From where?")}</legend>
        {([["bank", t("My questions")], ["paste", t("A list or file")]] as const).map(([value, label]) => (
          <label key={value} class="segment">
            <input type="radio" name="adding-from" checked={from === value} onChange={() => setFrom(value)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {from === "bank" ? (
        <BankPicker add={(questions) => add({ questions: questions.map(draftQuestion) })} />
      ) : (
        <PasteBox
          addQuestions={(questions) => add({ questions: questions.map(draftQuestion) })}
          addRounds={(rounds) => add({ rounds: rounds.map(draftRound) })}
        />
      )}
    </dialog>
  );
}
