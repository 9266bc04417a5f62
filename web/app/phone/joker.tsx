import { useContext, useEffect, useState } from "preact/hooks";
import { Star } from "../lib/icons";
import { rich, t } from "../lib/language";
import type { Personal, Snapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { mayAnswer } from "./answer";
import { ask } from "./ask";

interface JokerProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
}

/** Whether the participant's joker doubles what is played now: their round, but for what they stake. */
export function jokerCounts({ round, question }: Snapshot, { joker }: Personal): boolean {
  return round !== undefined && joker === round.number && !question?.wager;
}

/** Whether this phone may still choose: the joker's round has not begun, and a team's captain decides. */
function mayChoose({ jokerRounds = [] }: Snapshot, personal: Personal): boolean {
  const { joker = 0 } = personal;
  return mayAnswer(personal) && (joker === 0 || jokerRounds.some(({ number }) => number === joker));
}

/** Sends the choice, and shows it once the server has it. */
function useJoker({ session, personal }: JokerProps) {
  const [told, setTold] = useState<number>(); // ahead of the personal part
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => setTold(undefined), [personal.joker]);
  const choose = async (round: number) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    const reply = await ask(session, "joker", { round }, isRound);
    setBusy(false);
    if ("round" in reply) setTold(reply.round);
    else setProblem(reply.problem);
  };
  return { chosen: told ?? personal.joker ?? 0, problem, busy, choose };
}

function isRound(reply: unknown): reply is { round: number } {
  return typeof (reply as { round?: unknown } | null)?.round === "number";
}

/** Which round the joker doubles, while all is still open. */
export function JokerChoice(props: JokerProps) {
  const { jokerRounds = [] } = props.shared;
  const { chosen, problem, busy, choose } = useJoker(props);
  const language = useContext(QuizLanguage);
  if (jokerRounds.length === 0 || !mayChoose(props.shared, props.personal)) return null;
  return (
    <section class="sheet joker" aria-labelledby="joker">
      <h2 id="joker">
        <Star />
        {t("Your joker doubles one round")}
      </h2>
      <ul>
        {jokerRounds.map(({ number, title }) => (
          <li key={number}>
            <button
              type="button"
              class="button"
              aria-pressed={chosen === number}
              aria-disabled={busy}
              onClick={() => void choose(chosen === number ? 0 : number)}
            >
              <span>{rich("Round {number}: {title}", { number, title: <bdi lang={language}>{title}</bdi> })}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{problem ?? (chosen > 0 ? t("You can change your mind until that round starts.") : t("Choose it now, or later."))}</p>
    </section>
  );
}

/** Offers the joker for the round that is about to start. */
export function JokerOffer(props: JokerProps) {
  const { round, jokerRounds = [] } = props.shared;
  const { chosen, problem, busy, choose } = useJoker(props);
  const offered = round !== undefined && jokerRounds.some(({ number }) => number === round.number);
  if (!offered || !mayChoose(props.shared, props.personal)) return null;
  const on = chosen === round.number;
  return (
    <div class="joker">
      <button
        type="button"
        class="button button-large"
        aria-pressed={on}
        aria-disabled={busy}
        onClick={() => void choose(on ? 0 : round.number)}
      >
        <Star />
        {on ? t("Joker on: counts double") : t("Use your joker on this round")}
      </button>
      <p role="status">{problem ?? (on ? t("Tap again to take it back, until the first question.") : elsewhere(chosen))}</p>
    </div>
  );
}

function elsewhere(chosen: number): string {
  return chosen > 0 ? t("It is on round {number} now.", { number: chosen }) : t("It doubles one round for you, once this evening.");
}
