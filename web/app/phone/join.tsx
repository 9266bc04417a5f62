import type { Problem } from "../lib/protocol";
import { useState } from "preact/hooks";
import { CodeForm } from "./code-form";
import { NameForm } from "./name-form";

/** What the server said about the code in the address: the quiz it leads to, or why it leads nowhere. */
interface JoinProps {
  code: string;
  title?: string;
  problem?: Problem;
  onJoined: (session: string) => void;
}

export function Join({ code, title, problem: first, onJoined }: JoinProps) {
  const [problem, setProblem] = useState(first);
  return (
    <main class="page join">
      <header class="join-top">
        {title && !problem ? (
          <>
            <p class="eyebrow">You’re joining</p>
            <h1 dir="auto">{title}</h1>
          </>
        ) : (
          <h1>Join the quiz</h1>
        )}
      </header>
      {problem ? <CodeForm code={code} problem={problem} /> : <NameForm code={code} onJoined={onJoined} onNoSession={setProblem} />}
    </main>
  );
}
