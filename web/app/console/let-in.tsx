import { useEffect, useRef, useState } from "preact/hooks";
import { useCountdown } from "../lib/countdown";
import type { Participant, RejoinCode } from "../lib/protocol";
import { joinHost } from "../lib/words";
import { Kbd } from "./kbd";
import { halves, makeRejoinCode } from "./rejoin-code";

interface LetInProps {
  session: string;
  /** Whose seat another phone is to take; none for a new seat. */
  participant: Participant | undefined;
  /** The server's clock. */
  now: () => number;
  close: () => void;
}

/** A way in for one phone, large enough to be scanned from the laptop. */
export function LetIn({ session, participant, now, close }: LetInProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [code, setCode] = useState<RejoinCode>();
  const [problem, setProblem] = useState<string>();
  const make = async () => {
    setProblem(undefined);
    const reply = await makeRejoinCode(session, participant?.id);
    if ("code" in reply) setCode(reply);
    else setProblem(reply.problem);
  };
  useEffect(() => {
    dialog.current?.showModal();
    void make();
  }, []);
  return (
    <dialog ref={dialog} class="let-in" aria-labelledby="let-in" onClose={close}>
      <h2 id="let-in">
        {participant ? (
          <>
            <bdi>{participant.name}</bdi> moves to another phone
          </>
        ) : (
          "Let one phone in"
        )}
      </h2>
      {code && <Way key={code.code} code={code} now={now} again={make} />}
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <form method="dialog" class="choices">
        <p class="aside">
          {participant ? "Its name and points come along. The phone used until now stops." : "The doors stay locked for everybody else."}
        </p>
        {problem && (
          <button type="button" class="button" onClick={make}>
            Try again
          </button>
        )}
        <button class="button button-primary">
          Done <Kbd of="no" />
        </button>
      </form>
    </dialog>
  );
}

interface WayProps {
  code: RejoinCode;
  now: () => number;
  again: () => void;
}

function Way({ code: { code, url, expiresAt }, now, again }: WayProps) {
  const left = Math.ceil(useCountdown(Date.parse(expiresAt), now) / 1000);
  if (left === 0) {
    return (
      <div class="way">
        <p>This code has run out.</p>
        <button type="button" class="button" onClick={again}>
          Make another
        </button>
      </div>
    );
  }
  return (
    <div class="way">
      <img class="qr" src={`/j/${code}/qr.svg`} alt={`QR code of ${url}`} />
      <div>
        <p>
          Scan it, or open <strong>{joinHost(url)}</strong> and type
        </p>
        <p class="code">{halves(code)}</p>
        <p class="aside tabular" role="timer">
          For one phone, in the next {Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}
        </p>
      </div>
    </div>
  );
}
