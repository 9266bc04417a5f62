import { useEffect, useRef } from "preact/hooks";
import { t } from "../lib/language";
import type { Pad } from "./use-notepad";

const most = 5_000; // characters

/** What the hosts write down for themselves: no player and no television is ever sent it. */
export function Notepad({ pad: { text, write, line } }: { pad: Pad }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ready = text !== undefined;
  useEffect(() => area.current?.focus(), [ready]);
  return (
    <>
      <textarea
        ref={area}
        class="input notepad"
        aria-label={t("Your notes")}
        aria-describedby="notepad-line"
        placeholder={t("Who pays late, what to say about the raffle…")}
        maxLength={most}
        disabled={!ready}
        value={text ?? ""}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <p id="notepad-line" class="aside" role="status">
        {line || t("Only this session’s hosts see this.")}
      </p>
    </>
  );
}
