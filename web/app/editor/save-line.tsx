import { t } from "../lib/language";
import type { SaveState } from "./autosave";

interface SaveLineProps {
  state: SaveState;
  retry: () => void;
}

/** Whether what was typed is safe. */
export function SaveLine({ state, retry }: SaveLineProps) {
  return (
    <div class="save-line" role="status" data-state={state.name}>
      <Words state={state} />
      {state.name === "failed" && (
        <button type="button" class="button button-small" onClick={retry}>
          {t("Try again")}
        </button>
      )}
      {state.name === "stale" && (
        <button type="button" class="button button-small" onClick={() => location.reload()}>
          {t("Load the newer quiz")}
        </button>
      )}
    </div>
  );
}

function Words({ state }: { state: SaveState }) {
  switch (state.name) {
    case "saved":
      return <p>{t("✓ Saved")}</p>;
    case "unsaved":
    case "saving":
      return <p>{t("Saving…")}</p>;
    case "failed":
      return <p>{t("Not saved: {reason}", { reason: state.reason })}</p>;
    case "stale":
      return (
        <p>
          {t("Not saved: this quiz was changed in another window meanwhile. Load it to go on from there; copy first what you want to keep of this page.")}
        </p>
      );
  }
}
