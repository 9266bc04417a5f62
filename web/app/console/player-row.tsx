import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Away, Clock, Phone, Signal } from "../lib/icons";
import { rich, t } from "../lib/language";
import type { Participant, Refusal, Via } from "../lib/protocol";
import { points } from "../lib/words";
import { Kbd } from "./kbd";
import { type ActionIn, actionOf, keyOf } from "./keys";
import { chipWords, standingWords } from "./refusals";
import type { Drive } from "./use-drive";

export type RowMode = "shut" | "open" | "rename" | "adjust" | "remove";

interface RowProps {
  participant: Participant;
  /** Which limits have asked this phone to slow down, the latest first. */
  refused: readonly Refusal[];
  /** Whether a question is open, so that answering matters. */
  asking: boolean;
  mode: RowMode;
  setMode: (mode: RowMode) => void;
  /** Takes the focus out of the list, so that Space is the next step and does not press the name. */
  leave: () => void;
  drive: Drive;
  /** Moves the participant to another phone, while that is possible. */
  move: (() => void) | undefined;
}

/** One participant. Its name opens how its phone stands, and what can be done: rename, give or take points and remove, all in place, and move to another phone. */
export function PlayerRow({ participant, refused, asking, mode, setMode, leave, drive, move }: RowProps) {
  const who = useRef<HTMLButtonElement>(null);
  const shut = () => {
    setMode("shut");
    leave();
  };
  const act = (action: ActionIn<"player"> | undefined): boolean => {
    if (action === "move") move?.();
    else if (action) setMode(action);
    return action !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") shut();
    else if (event.target !== who.current || event.ctrlKey || event.metaKey || event.altKey) return;
    else if (!act(actionOf("player", event.key))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li class="player" data-via={participant.via} onKeyDown={onKeyDown}>
      <div class="line">
        <button ref={who} type="button" class="who" aria-expanded={mode !== "shut"} onClick={() => setMode(mode === "shut" ? "open" : "shut")}>
          <bdi>{participant.name}</bdi>
        </button>
        <Badges participant={participant} refused={refused} />
        {asking && (
          <span class="has-answered" data-yes={participant.answered ? "" : undefined}>
            <Short words={participant.answered ? t("✓ answered") : t("not yet")}>{participant.answered ? "✓" : <Clock />}</Short>
          </span>
        )}
        <span class="points">{points(participant.points)}</span>
      </div>
      {mode === "open" && (
        <div class="choices">
          <p class="aside">{standingWords(participant.via, refused)}</p>
          <button type="button" class="button button-small" onClick={() => setMode("rename")}>
            {t("Rename")} <Kbd of="rename" />
          </button>
          <button type="button" class="button button-small" onClick={() => setMode("adjust")}>
            {t("Give or take points")} <Kbd of="adjust" />
          </button>
          <button type="button" class="button button-small" onClick={() => setMode("remove")}>
            {t("Remove")} <Kbd of="remove" />
          </button>
          {move && (
            <button type="button" class="button button-small" onClick={move}>
              {t("Move to another phone")} <Kbd of="move" />
            </button>
          )}
        </div>
      )}
      {mode === "rename" && <Rename participant={participant} drive={drive} done={shut} />}
      {mode === "adjust" && <Adjust participant={participant} drive={drive} done={shut} />}
      {mode === "remove" && <Remove participant={participant} drive={drive} done={shut} />}
    </li>
  );
}

/** What there is to know about a participant, each in a word or two. */
function Badges({ participant: { phones = 1, joker, stake, via }, refused }: Pick<RowProps, "participant" | "refused">) {
  return (
    <>
      {phones > 1 && (
        <span class="via">
          <Short words={t({ one: "{n} phone", other: "{n} phones" }, { n: phones })}>
            {phones} <Phone />
          </Short>
        </span>
      )}
      {joker !== undefined && (
        <span class="via">
          <Short words={t("★ round {number}", { number: joker })}>★ {joker}</Short>
        </span>
      )}
      {stake !== undefined && <Long words={t("stakes {points}", { points: points(stake) })} />}
      {refused.map((refusal) => (
        <Long key={refusal.limiter} words={chipWords(refusal)} />
      ))}
      {via !== "socket" && (
        <span class="via">
          <Short words={connectionWords[via]}>{via === "poll" ? <Signal /> : <Away />}</Short>
        </span>
      )}
    </>
  );
}

const connectionWords: Record<Exclude<Via, "socket">, string> = { poll: t("polling"), away: t("away") };

/** Words that something shorter stands for where the line is narrow; whoever points at that reads them, and whoever listens hears them. */
function Short({ words, children }: { words: string; children: ComponentChildren }) {
  return (
    <span title={words}>
      <span class="short" role="img" aria-label={words}>
        {children}
      </span>
      <span class="words">{words}</span>
    </span>
  );
}

/** Words that are cut off where the line is narrow. */
function Long({ words }: { words: string }) {
  return (
    <span class="via long" title={words}>
      {words}
    </span>
  );
}

interface ChangeProps {
  participant: Participant;
  drive: Drive;
  done: () => void;
}

function Rename({ participant, drive, done }: ChangeProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => input.current?.select(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const name = input.current?.value.trim() ?? "";
    if (name === participant.name) return done();
    const reply = await drive.run("rename", { participant: participant.id, name });
    if (!reply) return;
    if ("version" in reply) done();
    else setProblem(reply.problem);
  };
  const describedBy = `${participant.id}-name-problem`;
  return (
    <form class="choices" onSubmit={submit}>
      <input
        class="input"
        ref={input}
        defaultValue={participant.name}
        aria-label={t("New name for {name}", { name: participant.name })}
        aria-invalid={problem !== undefined}
        aria-describedby={describedBy}
        autocomplete="off"
      />
      <button type="submit" class="button button-small button-primary" disabled={drive.pending !== undefined}>
        {t("Rename")} <kbd class="kbd">↵</kbd>
      </button>
      <button type="button" class="button button-small" onClick={done}>
        {t("Keep")} <Kbd of="no" />
      </button>
      <p id={describedBy} class="field-problem" role="status">
        {problem}
      </p>
    </form>
  );
}

function Adjust({ participant, drive, done }: ChangeProps) {
  const amount = useRef<HTMLInputElement>(null);
  const reason = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => amount.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const detail = { participant: participant.id, points: amount.current?.valueAsNumber || 0, reason: reason.current?.value.trim() ?? "" };
    const reply = await drive.run("adjust", detail);
    if (!reply) return;
    if ("version" in reply) done();
    else setProblem(reply.problem);
  };
  const describedBy = `${participant.id}-points-problem`;
  return (
    <form class="choices adjusting" onSubmit={submit} noValidate>
      <input
        class="input tabular"
        ref={amount}
        type="number"
        step={0.5}
        placeholder={t("+1 or −1")}
        aria-label={t("Points for {name}; less than 0 takes some", { name: participant.name })}
        aria-describedby={describedBy}
        autocomplete="off"
      />
      <input class="input" ref={reason} maxLength={120} placeholder={t("Why")} aria-label={t("Why")} aria-describedby={describedBy} autocomplete="off" />
      <button type="submit" class="button button-small button-primary" disabled={drive.pending !== undefined}>
        {t("Set down")} <kbd class="kbd">↵</kbd>
      </button>
      <button type="button" class="button button-small" onClick={done}>
        {t("Cancel")} <Kbd of="no" />
      </button>
      <p id={describedBy} class="field-problem" role="status">
        {problem}
      </p>
    </form>
  );
}

function Remove({ participant, drive, done }: ChangeProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const remove = async () => {
    const reply = await drive.run("remove", { participant: participant.id });
    if (reply) done();
  };
  return (
    <div class="choices" role="group" aria-label={t("Remove {name}?", { name: participant.name })}>
      <p>
        {rich("Remove {name}? The phone is told, and its points leave the standings. You can let it back in.", { name: <bdi>{participant.name}</bdi> })}
      </p>
      <button
        type="button"
        class="button button-small button-danger"
        disabled={drive.pending !== undefined}
        aria-keyshortcuts={keyOf("yes")}
        onClick={remove}
      >
        {t("Remove")} <Kbd of="yes" />
      </button>
      <button ref={keep} type="button" class="button button-small" onClick={done}>
        {t("Keep")} <Kbd of="no" />
      </button>
    </div>
  );
}
