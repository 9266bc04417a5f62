import type { HostSnapshot, Kind, Question } from "../lib/protocol";
import { plural, pointsLong } from "../lib/words";
import { Notes, Rules, Solution } from "./now";

/** What comes next, so that the host can read it before the room does. */
export function Ahead({ snapshot }: { snapshot: HostSnapshot }) {
  const { nextRound, upNext, next, commands = [] } = snapshot;
  if (nextRound && (next === "next" || commands.includes("next") || !upNext)) {
    return (
      <article class="ahead">
        <h3>
          Round {nextRound.number}: <bdi>{nextRound.title}</bdi>
        </h3>
        {nextRound.introduction && (
          <p>
            <bdi>{nextRound.introduction}</bdi>
          </p>
        )}
        <p class="aside">{plural(nextRound.questions, "question", "questions")}</p>
        <Rules round={nextRound} />
        {upNext && <UpNext snapshot={snapshot} />}
      </article>
    );
  }
  if (upNext) {
    return (
      <article class="ahead">
        <UpNext snapshot={snapshot} />
        <Notes notes={upNext.notes} />
      </article>
    );
  }
  if (next === "reveal" && snapshot.round?.pacing === "round") return <p class="aside">The answers of this round, one after the other.</p>;
  const shown = snapshot.phase === "standings";
  return <p class="aside">That was the last question. What remains is {shown ? "to finish" : "to show the standings and to finish"}.</p>;
}

function UpNext({ snapshot: { upNext } }: { snapshot: HostSnapshot }) {
  if (!upNext) return null;
  return (
    <>
      <p class="aside">
        {aboutWords(upNext)}
      </p>
      <p class="asks">
        <bdi>{upNext.text}</bdi>
      </p>
      <Solution question={upNext} answer={upNext} />
    </>
  );
}

function aboutWords({ kind, number, seconds, points, tieBreak, wager, media }: Question): string {
  const words = kind === "slide" ? [`Slide ${number}`] : [`${kindNames[kind]} ${number}`, `${seconds} seconds`];
  if (tieBreak) words.push("tie-break");
  else if (wager) words.push("wager");
  else if (kind !== "slide" && kind !== "poll") words.push(pointsLong(points));
  if (media) words.push({ image: "with a picture", audio: "with a sound", video: "with a film" }[media.kind]);
  return words.join(" · ");
}

const kindNames: Record<Kind, string> = {
  single: "Question",
  multiple: "Several right, question",
  trueFalse: "True or false, question",
  text: "Typed, question",
  number: "A number, question",
  ordering: "In order, question",
  poll: "Poll, question",
  slide: "Slide",
};
