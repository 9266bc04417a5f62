import { useState } from "preact/hooks";
import { t } from "../lib/language";
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
      <p class="renew" role="group" aria-label={t("End the big screen’s links?")}>
        {t("Screens that are open now go out.")}
        <button type="button" class="button button-small" onClick={renew}>
          {t("New screen link")}
        </button>
        <button type="button" class="button button-small button-quiet" onClick={() => setAsking(false)}>
          {t("Keep")}
        </button>
      </p>
    );
  }
  return (
    <p class="renew">
      <a class="button button-small" href={screenURL} target="_blank" rel="noreferrer">
        {t("Open the big screen ↗")}
      </a>
      <button type="button" class="button button-small button-quiet" onClick={() => setAsking(true)}>
        {t("New screen link …")}
      </button>
    </p>
  );
}
