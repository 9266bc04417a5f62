import { useEffect, useRef, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { t } from "../lib/language";
import { Kbd } from "./kbd";
import { keyOf } from "./keys";
import { roomier } from "./roomier";
import type { Drive } from "./use-drive";

/** What a session may have, as it was when the page was loaded. */
export interface Allowed {
  /** Participants. The server decides anew whenever somebody asks for more. */
  places: number;
  /** Where there are plans with more; absent where there are none. */
  pricing?: string;
}

interface PlacesProps {
  joined: number;
  capacity: number;
  doorsLocked: boolean;
  allowed: Allowed;
  drive: Drive;
}

/** How many places are taken, and how to have more of them. */
export function Places({ joined, capacity, doorsLocked, allowed, drive }: PlacesProps) {
  const [changing, setChanging] = useState(false);
  const line = useRef<HTMLSpanElement>(null);
  const full = joined >= capacity;
  const nearlyFull = joined >= 0.9 * capacity;
  const { pricing } = allowed;
  const done = () => {
    setChanging(false);
    line.current?.focus(); // and not the button: Space is the next step
  };
  return (
    <div class="places" data-full={full || undefined}>
      <p class="fact">
        <span ref={line} tabIndex={-1}>
          {full
            ? t({ one: "{joined} of {n} place, full", other: "{joined} of {n} places, full" }, { n: capacity, joined })
            : t({ one: "{joined} of {n} place taken", other: "{joined} of {n} places taken" }, { n: capacity, joined })}
        </span>
        <button type="button" class="button button-small" aria-keyshortcuts={keyOf("places")} aria-expanded={changing} onClick={() => setChanging(!changing)}>
          {nearlyFull ? t("Make room") : t("Change")} <Kbd of="places" />
        </button>
      </p>
      {full && !doorsLocked && !changing && <p class="aside">{t("Whoever comes now is turned away.")}</p>}
      {full && pricing && capacity >= allowed.places && (
        <p class="aside">
          {t("A larger plan has more places.")}{" "}
          <a href={pricing} target="_blank">
            {t("See the plans ↗")}
          </a>
        </p>
      )}
      {changing && <Change proposal={nearlyFull ? roomier(capacity, allowed.places) : capacity} drive={drive} done={done} />}
      <Announcement text={full ? t("All places are taken") : ""} />
    </div>
  );
}

function Change({ proposal, drive, done }: { proposal: number; drive: Drive; done: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => input.current?.select(), []);
  useEffect(() => said.current?.scrollIntoView({ block: "nearest" }), [problem]); // the card scrolls in a low window
  const submit = async (event: Event) => {
    event.preventDefault();
    const reply = await drive.run("setCapacity", { capacity: input.current!.valueAsNumber || 0 });
    if (!reply) return;
    if ("version" in reply) done();
    else setProblem(reply.problem);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") done();
  };
  return (
    <form class="choices" onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <input
        class="input tabular"
        ref={input}
        type="number"
        min={1}
        defaultValue={String(proposal)}
        aria-label={t("Places")}
        aria-invalid={problem !== undefined}
        aria-describedby="places-problem"
        autocomplete="off"
      />
      <button type="submit" class="button button-small button-primary" disabled={drive.pending !== undefined}>
        {t("Set")} <kbd class="kbd">↵</kbd>
      </button>
      <button type="button" class="button button-small" onClick={done}>
        {t("Keep")} <Kbd of="no" />
      </button>
      <p ref={said} id="places-problem" class="field-problem" role="status">
        {problem}
      </p>
    </form>
  );
}
