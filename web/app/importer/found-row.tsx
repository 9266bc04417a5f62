import { Check, Cross, Part } from "../lib/icons";
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
            <span class="visually-hidden">
              Take {where}: {row.text}
            </span>
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
                  {column && <bdi>{column}</bdi>}
                  {column && found && ": "}
                  {found && <q>{found}</q>}
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
function placeOf({ counts }: Import, { row, sheet }: ImportRow): string {
  if (row === 0) return sheet ? `Sheet “${sheet}”` : "The whole file";
  const where = `${counts} ${row}`;
  return sheet ? `${sheet}, ${where}` : where.charAt(0).toUpperCase() + where.slice(1);
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
              {right && <span class="visually-hidden"> (right)</span>}
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
