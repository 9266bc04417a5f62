import { useState } from "preact/hooks";
import type { Drive } from "./use-drive";

interface BigScreenProps {
  screenURL: string;
  drive: Drive;
}

/** The way to the big screen, and the end of all ways to it that were given out. */
export function BigScreen({ screenURL, drive }: BigScreenProps) {
  const [asking, setAsking] = useState(false);
  const renew = async () => {
    const reply = await drive.run("renewScreen", {});
    if (reply && "version" in reply) location.reload(); // the page has the new link
    else setAsking(false);
  };
  if (asking) {
    return (
      <p class="renew" role="group" aria-label="End the big screen’s links?">
        Screens that are open now go out.
        <button type="button" class="button button-small" onClick={renew}>
          New link
        </button>
        <button type="button" class="button button-small button-quiet" onClick={() => setAsking(false)}>
          Keep
        </button>
      </p>
    );
  }
  return (
    <p class="renew">
      <a class="button button-small" href={screenURL} target="_blank" rel="noreferrer">
        Open the big screen ↗
      </a>
      <button type="button" class="button button-small button-quiet" onClick={() => setAsking(true)}>
        New link …
      </button>
    </p>
  );
}
