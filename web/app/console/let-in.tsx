import { useEffect, useRef, useState } from "preact/hooks";
import { useCountdown } from "../lib/countdown";
import { rich, t } from "../lib/language";
import { minutes } from "../lib/minutes";
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
        {participant ? rich("{name} moves to another phone", { name: <bdi>{participant.name}</bdi> }) : t("Let one phone in")}
      </h2>
      {code && <Way key={code.code} code={code} now={now} again={make} />}
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <form method="dialog" class="choices">
        <p class="aside">
          {participant ? t("Its name and points come along. The phone used until now stops.") : t("The doors stay locked for everybody else.")}
        </p>
        {problem && (
          <button type="button" class="button" onClick={make}>
            {t("Try again")}
          </button>
        )}
        <button class="button button-primary">
          {t("Done")} <Kbd of="no" />
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
        <p>{t("This code has run out.")}</p>
        <button type="button" class="button" onClick={again}>
          {t("Make another")}
        </button>
      </div>
    );
  }
  return (
    <div class="way">
      <img class="qr" src={`/j/${code}/qr.svg`} alt={t("QR code of {url}", { url })} />
      <div>
        <p>{rich("Scan it, or open {address} and type", { address: <strong>{joinHost(url)}</strong> })}</p>
        <p class="code">{halves(code)}</p>
        <p class="aside tabular" role="timer">
          {t("For one phone, in the next {time}", { time: minutes(left) })}
        </p>
      </div>
    </div>
  );
}
