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
          Try again
        </button>
      )}
      {state.name === "stale" && (
        <button type="button" class="button button-small" onClick={() => location.reload()}>
          Load the newer quiz
        </button>
      )}
    </div>
  );
}

function Words({ state }: { state: SaveState }) {
  switch (state.name) {
    case "saved":
      return <p>✓ Saved</p>;
    case "unsaved":
    case "saving":
      return <p>Saving…</p>;
    case "failed":
      return <p>Not saved: {state.reason}</p>;
    case "stale":
      return (
        <p>
          Not saved: this quiz was changed in another window meanwhile. Load it to go on from there; copy first what you want to keep of this
          page.
        </p>
      );
  }
}
