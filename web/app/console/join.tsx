import type { HostSnapshot } from "../lib/protocol";
import { joinHost } from "../lib/words";

/** The way in for players, and the way to the television. */
export function Join({ snapshot, screenURL }: { snapshot: HostSnapshot; screenURL: string }) {
  const { joinCode, joinURL, doorsLocked } = snapshot;
  return (
    <section class="card join" aria-label="Join">
      <img class="qr" src={`/j/${joinCode}/qr.svg`} alt={`QR code of ${joinURL}`} />
      <div>
        <p class="code">{joinCode}</p>
        <p class="address">{joinHost(joinURL)}</p>
        {doorsLocked && <p class="locked">The doors are locked</p>}
        <a class="button button-small" href={screenURL} target="_blank" rel="noreferrer">
          Open the big screen ↗
        </a>
      </div>
    </section>
  );
}
