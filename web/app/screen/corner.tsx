import { useState } from "preact/hooks";
import { t } from "../lib/language";
import type { ScreenSnapshot } from "../lib/protocol";
import { joinHost } from "../lib/words";

/** The way to join for those who come late: small in the corner, large when pressed. */
export function Corner({ snapshot: { joinCode, joinURL } }: { snapshot: ScreenSnapshot }) {
  const [large, setLarge] = useState(false);
  return (
    <button type="button" class="corner" aria-expanded={large} onClick={() => setLarge(!large)}>
      <span class="corner-card">
        <span class="words">
          <span class="address">{joinHost(joinURL)}</span>
          <span class="code">{joinCode}</span>
        </span>
        <img class="qr" src={`/j/${joinCode}/qr.svg`} alt={t("QR code that leads to the quiz")} />
      </span>
    </button>
  );
}
