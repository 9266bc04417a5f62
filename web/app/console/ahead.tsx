import { useContext } from "preact/hooks";
import { rich, t } from "../lib/language";
import type { HostSnapshot, Kind, Question } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { pointsLong } from "../lib/words";
import { Notes, Rules, Solution } from "./now";

/** What comes next, so that the host can read it before the room does. */
export function Ahead({ snapshot }: { snapshot: HostSnapshot }) {
  const { nextRound, upNext, next, commands = [], phase } = snapshot;
  const language = useContext(QuizLanguage);
  const answers = next === "reveal" && snapshot.round?.pacing === "round" && <p class="aside">{t("The answers of this round, one after the other.")}</p>;
  if (nextRound && (next === "next" || commands.includes("next") || !upNext)) {
    return (
      <article class="ahead">
        {answers}
        <h3>
          {rich("Round {number}: {title}", { number: nextRound.number, title: <bdi lang={language}>{nextRound.title}</bdi> })}
        </h3>
        {nextRound.introduction && (
          <p>
            <bdi lang={language}>{nextRound.introduction}</bdi>
          </p>
        )}
        <p class="aside">{t({ one: "{n} question", other: "{n} questions" }, { n: nextRound.questions })}</p>
        <Rules round={nextRound} />
        {upNext && phase !== "lobby" && !answers && <UpNext snapshot={snapshot} />}
      </article>
    );
  }
  if (answers) return answers;
  if (upNext) {
    return (
      <article class="ahead">
        <UpNext snapshot={snapshot} />
        <Notes notes={upNext.notes} />
      </article>
    );
  }
  return (
    <p class="aside">
      {snapshot.phase === "standings"
        ? t("That was the last question. What remains is to finish.")
        : t("That was the last question. What remains is to show the standings and to finish.")}
    </p>
  );
}

function UpNext({ snapshot: { upNext } }: { snapshot: HostSnapshot }) {
  const language = useContext(QuizLanguage);
  if (!upNext) return null;
  return (
    <>
      <p class="aside">
        {aboutWords(upNext)}
      </p>
      <p class="asks">
        <bdi lang={language}>{upNext.text}</bdi>
      </p>
      <Solution question={upNext} answer={upNext} />
    </>
  );
}

function aboutWords({ kind, number, seconds, points, tieBreak, wager, media }: Question): string {
  const words = [kindWords(kind, number)];
  if (kind !== "slide") words.push(t({ one: "{n} second", other: "{n} seconds" }, { n: seconds }));
  if (tieBreak) words.push(t("tie-break"));
  else if (wager) words.push(t("wager"));
  else if (kind !== "slide" && kind !== "poll") words.push(pointsLong(points));
  if (media) words.push({ image: t("with a picture"), audio: t("with a sound"), video: t("with a film") }[media.kind]);
  return words.join(" · ");
}

function kindWords(kind: Kind, number: number): string {
  switch (kind) {
    case "single":
      return t("Question {number}", { number });
    case "multiple":
      return t("Several right, question {number}", { number });
    case "trueFalse":
      return t("True or false, question {number}", { number });
    case "text":
      return t("Typed, question {number}", { number });
    case "number":
      return t("A number, question {number}", { number });
    case "ordering":
      return t("In order, question {number}", { number });
    case "poll":
      return t("Poll, question {number}", { number });
    case "slide":
      return t("Slide {number}", { number });
  }
}
