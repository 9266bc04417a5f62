import { useRef, useState } from "preact/hooks";
import { useCountdown } from "../lib/countdown";
import { rich, t } from "../lib/language";
import type { Personal, RejoinCode } from "../lib/protocol";
import { joinHost } from "../lib/words";
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
  const counts = team.answers === "first" ? t("The first answer of any of you counts.") : team.captain ? t("Your answers count.") : t("The captain’s answers count.");
  return (
    <section class="sheet team" aria-label={t("Your team")}>
      <p>
        <strong>
          {team.phones > 1 ? t({ one: "{n} phone in your team.", other: "{n} phones in your team." }, { n: team.phones }) : t("Playing as a team?")}
        </strong>{" "}
        {counts}
      </p>
      {team.captain && (
        <button type="button" class="button" onClick={() => void make()}>
          {t("Add a phone to your team")}
        </button>
      )}
      {problem && <p role="alert">{problem}</p>}
      <dialog ref={dialog} class="team-code" aria-labelledby="team-code">
        <h2 id="team-code">{t("Add a phone to your team")}</h2>
        {code && <Code key={code.code} code={code} now={now} />}
        <form method="dialog">
          <button class="button button-primary button-large">{t("Done")}</button>
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
  if (minutes === 0) return <p>{t("This code has run out. Make another.")}</p>;
  return (
    <>
      <img class="qr" src={`/j/${code}/qr.svg`} alt={t("QR code of {url}", { url })} />
      <p>{rich("Scan it with the other phone, or open {address} there and type", { address: <strong class="address">{joinHost(url)}</strong> })}</p>
      <p class="code">{code}</p>
      <p class="hint">{t({ one: "For one phone, in the next {n} minute.", other: "For one phone, in the next {n} minutes." }, { n: minutes })}</p>
    </>
  );
}
