import type { HostSnapshot } from "../lib/protocol";
import { plural, pointsLong } from "../lib/words";
import { Notes, Solution } from "./now";

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
  const shown = snapshot.phase === "standings";
  return <p class="aside">That was the last question. What remains is {shown ? "to finish" : "to show the standings and to finish"}.</p>;
}

function UpNext({ snapshot: { upNext } }: { snapshot: HostSnapshot }) {
  if (!upNext) return null;
  return (
    <>
      <p class="aside">
        Question {upNext.number} · {upNext.seconds} seconds · {pointsLong(upNext.points)}
      </p>
      <p class="asks">
        <bdi>{upNext.text}</bdi>
      </p>
      <Solution question={upNext} answer={upNext} />
    </>
  );
}
