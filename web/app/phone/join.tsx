import { useState } from "preact/hooks";
import { t } from "../lib/language";
import { LanguageLink } from "../lib/language-link";
import type { Problem } from "../lib/protocol";
import { CodeForm } from "./code-form";
import { mayRejoin } from "./codes";
import { LockedDoors } from "./locked-doors";
import { NameForm } from "./name-form";
import { SeatForm } from "./seat-form";

/** What the server said about the code in the address: the quiz it leads to, or why it leads nowhere. */
interface JoinProps {
  code: string;
  title?: string;
  /** It is a rejoin code, and leads to the seat of the player with the name, or to a new one. */
  rejoin?: boolean;
  name?: string;
  /** It leads to one more phone of theirs. */
  team?: boolean;
  problem?: Problem;
  onJoined: (session: string) => void;
}

export function Join({ code, title, rejoin = false, name, team = false, problem: first, onJoined }: JoinProps) {
  const [problem, setProblem] = useState(first);
  const locked = problem?.type.endsWith("/doors-locked") && problem;
  const way = { code, rejoin };
  return (
    <main class="page join">
      <LanguageLink look="language" />
      <header class="join-top">
        {title && (!problem || locked) ? (
          <>
            <p class="eyebrow">{name && !team ? t("You’re moving to this phone") : t("You’re joining")}</p>
            <h1 dir="auto">{title}</h1>
          </>
        ) : (
          <h1>{t("Join the quiz")}</h1>
        )}
      </header>
      {locked ? (
        <LockedDoors problem={locked} again={() => setProblem(undefined)} />
      ) : problem ? (
        <CodeForm label={t("Code on the big screen, or from the host")} code={code} problem={explanation(problem, code)} />
      ) : name ? (
        <SeatForm way={way} name={name} team={team} onJoined={onJoined} onNoWay={setProblem} />
      ) : (
        <NameForm way={way} onJoined={onJoined} onNoWay={setProblem} />
      )}
    </main>
  );
}

/** Rejoin codes have another length than those on the big screen. */
function explanation(problem: Problem, code: string): string {
  return mayRejoin(code) && problem.type.endsWith("/unknown-code")
    ? t("This code has been used or has run out. The host can give you another one.")
    : (problem.detail ?? problem.title);
}
