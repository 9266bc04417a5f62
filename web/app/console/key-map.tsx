import { useEffect, useRef } from "preact/hooks";

const entries: readonly (readonly [string, string])[] = [
  ["Space", "The next obvious step, as the amber button says"],
  ["N", "Next round, where the standings could come first"],
  ["S", "Show the standings"],
  ["L", "Lock or unlock the doors for new players"],
  ["I", "Let one phone in while the doors are locked"],
  ["C", "Change how many places there are"],
  ["F", "Finish the evening; you are asked first"],
  ["P", "Go to the players; ↑ and ↓ walk through them"],
  ["R", "Rename the player in focus"],
  ["Del", "Remove the player in focus; you are asked first"],
  ["M", "Move the player in focus to another phone"],
  ["X", "Choose several players, to remove them"],
  ["?", "Show these keys"],
  ["Esc", "Leave what is open"],
];

/** Every key of the console. */
export function KeyMap({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-map" aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keys</h2>
      <dl>
        {entries.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd class="kbd">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button button-primary">Close</button>
      </form>
    </dialog>
  );
}
