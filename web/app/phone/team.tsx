import { useRef, useState } from "preact/hooks";
import { useCountdown } from "../lib/countdown";
import type { Personal, RejoinCode } from "../lib/protocol";
import { joinHost, plural } from "../lib/words";
import { ask } from "./ask";

interface TeamProps {
  session: string;
  personal: Personal;
  /** The server's clock. */
  now: () => number;
}

/** A team of several phones: how many they are, whose answer counts, and on its first phone the way in for more. */
export function TeamCard({ session, personal: { team }, now }: TeamProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [code, setCode] = useState<RejoinCode>();
  const [problem, setProblem] = useState<string>();
  if (!team) return null;
  const make = async () => {
    setProblem(undefined);
    const reply = await ask(session, "team-code", {}, isCode);
    if ("problem" in reply) return setProblem(reply.problem);
    setCode(reply);
    dialog.current?.showModal();
  };
  const counts = team.answers === "first" ? "The first answer of any of you counts." : team.captain ? "Your answers count." : "The captain’s answers count.";
  return (
    <section class="sheet team" aria-label="Your team">
      <p>
        <strong>{team.phones > 1 ? `${plural(team.phones, "phone", "phones")} in your team.` : "Playing as a team?"}</strong> {counts}
      </p>
      {team.captain && (
        <button type="button" class="button" onClick={() => void make()}>
          Add a phone to your team
        </button>
      )}
      {problem && <p role="alert">{problem}</p>}
      <dialog ref={dialog} class="team-code" aria-labelledby="team-code">
        <h2 id="team-code">Add a phone to your team</h2>
        {code && <Code key={code.code} code={code} now={now} />}
        <form method="dialog">
          <button class="button button-primary button-large">Done</button>
        </form>
      </dialog>
    </section>
  );
}

function isCode(reply: unknown): reply is RejoinCode {
  return typeof (reply as { code?: unknown } | null)?.code === "string";
}

function Code({ code: { code, url, expiresAt }, now }: { code: RejoinCode; now: () => number }) {
  const minutes = Math.ceil(useCountdown(Date.parse(expiresAt), now) / 60_000);
  if (minutes === 0) return <p>This code has run out. Make another.</p>;
  return (
    <>
      <img class="qr" src={`/j/${code}/qr.svg`} alt={`QR code of ${url}`} />
      <p>
        Scan it with the other phone, or open <strong>{joinHost(url)}</strong> there and type
      </p>
      <p class="code">{code}</p>
      <p class="hint">For one phone, in the next {plural(minutes, "minute", "minutes")}.</p>
    </>
  );
}
