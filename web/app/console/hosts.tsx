import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import type { Cohost, HostSnapshot } from "../lib/protocol";
import { ask } from "./ask";
import { Sheet } from "./sheet";

/** On a co-host's console: whose session it is, and the co-host's own number. */
export interface Cohosting {
  owner: string;
  cohost: number;
}

interface HostsProps {
  session: string;
  snapshot: HostSnapshot;
  /** Undefined on the owner's own console. */
  cohosting: Cohosting | undefined;
  close: () => void;
}

/** Who hosts the session. Its owner brings others in, and may remove them again; a co-host may leave. */
export function Hosts({ session, snapshot: { cohosts = [], invited = false, phase }, cohosting, close }: HostsProps) {
  const [problem, setProblem] = useState<string>();
  const end = async ({ number }: Cohost) => {
    const reply = await ask(session, `cohosts/${number}/remove`, {}, isObject);
    if ("problem" in reply) setProblem(reply.problem);
    else if (cohosting) location.assign("/host");
  };
  return (
    <Sheet id="hosts" title={t("Who hosts")} close={close}>
      <ul class="hosts-list">
        <li>
          <p>
            <bdi>{cohosting ? cohosting.owner : t("You")}</bdi> <span class="aside">{cohosting ? t("whose session it is") : t("and it is your session")}</span>
          </p>
        </li>
        {cohosts.map((cohost) => (
          <Row key={cohost.number} cohost={cohost} own={cohost.number === cohosting?.cohost} owning={!cohosting} end={() => void end(cohost)} />
        ))}
      </ul>
      {problem && <p role="alert">{problem}</p>}
      {!cohosting && phase !== "finished" && <Invite session={session} invited={invited} />}
    </Sheet>
  );
}

interface RowProps {
  cohost: Cohost;
  /** It is whoever sits before this console. */
  own: boolean;
  /** The owner does. */
  owning: boolean;
  end: () => void;
}

function Row({ cohost: { name }, own, owning, end }: RowProps) {
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <p>
        <bdi>{name}</bdi> {own && <span class="aside">{t("that is you")}</span>}
      </p>
      {(own || owning) && !asking && (
        <button type="button" class="button button-small button-quiet" aria-label={owning ? t("Remove {name}", { name }) : undefined} onClick={() => setAsking(true)}>
          {own ? t("Stop hosting") : t("Remove")}
        </button>
      )}
      {asking && (
        <div class="choices" role="group" aria-label={own ? t("Stop hosting?") : t("Remove {name}?", { name })}>
          <p>{own ? t("The quiz goes on without you.") : t("Their consoles close at once. The quiz goes on.")}</p>
          <button type="button" class="button button-small button-danger" onClick={end}>
            {own ? t("Stop hosting") : t("Remove")}
          </button>
          <button type="button" class="button button-small" onClick={() => setAsking(false)}>
            {t("Keep")}
          </button>
        </div>
      )}
    </li>
  );
}

/** The way in for one more host. Its link is shown this once: the server keeps none that could be read. */
function Invite({ session, invited }: { session: string; invited: boolean }) {
  const [link, setLink] = useState<string>();
  const [line, setLine] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), [link]);
  const make = async () => {
    const reply = await ask(session, "cohost-link", {}, isLink);
    if ("problem" in reply) setLine(reply.problem);
    else {
      setLink(reply.url);
      setLine("");
    }
  };
  const withdraw = async () => {
    const reply = await ask(session, "cohost-link/withdraw", {}, isObject);
    setLine("problem" in reply ? reply.problem : t("The link no longer works."));
    setLink(undefined);
  };
  const copy = async () => {
    field.current?.select();
    await navigator.clipboard?.writeText(link ?? "").then(
      () => setLine(t("Copied.")),
      () => setLine(t("Press Ctrl and C to copy it.")),
    );
  };
  return (
    <section class="invite" aria-labelledby="invite">
      <h3 id="invite">{t("Host together")}</h3>
      {!invited ? (
        <>
          <p class="aside">{t("A link lets one more host in, once they are signed in. They can do what you can, but for your plan and for who hosts.")}</p>
          <button type="button" class="button" onClick={make}>
            {t("Make a link")}
          </button>
        </>
      ) : (
        <>
          {link ? (
            <div class="invite-link">
              <input ref={field} class="input" readOnly value={link} aria-label={t("Link for one more host")} />
              <button type="button" class="button" onClick={copy}>
                {t("Copy")}
              </button>
            </div>
          ) : (
            <p>{t("A link is out that nobody has used yet.")}</p>
          )}
          <p class="aside">{t("It works for one person, once, until the quiz has finished. Send it to nobody else.")}</p>
          <p class="buttons">
            <button type="button" class="button button-small" onClick={withdraw}>
              {t("Take it back")}
            </button>
            {!link && (
              <button type="button" class="button button-small" onClick={make}>
                {t("Make a new one instead")}
              </button>
            )}
          </p>
        </>
      )}
      <p class="field-problem" role="status">
        {line}
      </p>
    </section>
  );
}

function isObject(reply: unknown): reply is object {
  return typeof reply === "object" && reply !== null;
}

function isLink(reply: unknown): reply is { url: string } {
  return typeof (reply as { url?: unknown } | undefined)?.url === "string";
}
