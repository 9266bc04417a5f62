import { Check, Cross, Part } from "../lib/icons";
import { rich, t } from "../lib/language";
import type { QuizQuestion } from "../lib/protocol";
import { answerOf, choicesOf, kindNames } from "./answers";
import { statusNames } from "./file-card";
import { type Import, type ImportRow, questionOf } from "./files";

interface FoundRowProps {
  found: Import;
  row: ImportRow;
  /** The title of the round that begins here. */
  round: string | undefined;
  wanted: boolean;
  take: (wanted: boolean) => void;
}

const statusIcons = { fine: Check, changed: Part, skipped: Cross };

/** One row of a file: what it asks, what is right, and what was changed about it. */
export function FoundRow({ found, row, round, wanted, take }: FoundRowProps) {
  const question = questionOf(found, row);
  const where = placeOf(found, row);
  const Icon = statusIcons[row.status];
  return (
    <>
      {round && (
        <li class="round-name">
          <h3 dir="auto">{round}</h3>
        </li>
      )}
      <li class="found-row" data-status={row.status} data-wanted={question ? wanted : undefined}>
        {question ? (
          <label class="tick">
            <input type="checkbox" checked={wanted} onChange={(event) => take(event.currentTarget.checked)} />
            <span class="visually-hidden">{t("Take {where}: {text}", { where, text: row.text })}</span>
          </label>
        ) : (
          <span class="tick" />
        )}
        <div class="found">
          <p class="where">
            <span>{where}</span>
            {question && <span>{kindNames[question.kind]}</span>}
            <span class="status">
              <Icon />
              {statusNames[row.status]}
            </span>
          </p>
          {(question?.text || row.text) && (
            <p class="asks" dir="auto">
              {question?.text || row.text}
            </p>
          )}
          {question && <Answer question={question} />}
          {row.notes?.map(({ column, found, detail }, i) => (
            <p key={i} class="note">
              {detail}
              {(column || found) && (
                <span class="evidence">
                  {column && found
                    ? rich("{column}: {found}", { column: <bdi>{column}</bdi>, found: <q>{found}</q> })
                    : column
                      ? <bdi>{column}</bdi>
                      : <q>{found}</q>}
                </span>
              )}
            </p>
          ))}
        </div>
      </li>
    </>
  );
}

/** "Row 9", "Animals, row 4", "Line 12", "The whole file". */
function placeOf({ counts }: Import, { row: number, sheet }: ImportRow): string {
  if (number === 0) return sheet ? t("Sheet “{sheet}”", { sheet }) : t("The whole file");
  switch (counts) {
    case "row":
      return sheet ? t("{sheet}, row {number}", { sheet, number }) : t("Row {number}", { number });
    case "line":
      return sheet ? t("{sheet}, line {number}", { sheet, number }) : t("Line {number}", { number });
    case "question":
      return sheet ? t("{sheet}, question {number}", { sheet, number }) : t("Question {number}", { number });
  }
}

function Answer({ question }: { question: QuizQuestion }) {
  const choices = choicesOf(question);
  const answer = answerOf(question);
  return (
    <>
      {choices.length > 0 && (
        <ul class="choices-found">
          {choices.map(({ text, right }, i) => (
            <li key={i} data-right={right}>
              {right && <Check />}
              <bdi>{text}</bdi>
              {right && <span class="visually-hidden"> ({t("right")})</span>}
            </li>
          ))}
        </ul>
      )}
      {answer && (
        <p class="answer-found" dir="auto">
          <Check />
          {answer}
        </p>
      )}
    </>
  );
}
