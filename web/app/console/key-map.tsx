import { useEffect, useRef } from "preact/hooks";

type Entry = readonly [key: string, meaning: string];

const groups: readonly (readonly [string, readonly Entry[]])[] = [
  [
    "The evening",
    [
      ["Space", "The next obvious step, as the amber button says"],
      ["B", "Back one step, as its button says; ⌫ does, too"],
      ["N", "Next round, where the standings could come first"],
      ["S", "Show the standings"],
      ["F", "Finish the evening; you are asked first"],
      ["A", "All answers, or everything to read out"],
      ["H", "What was done so far"],
    ],
  ],
  [
    "The question",
    [
      ["P", "Pause its clock, or let it go on"],
      ["+", "15 seconds more"],
      ["E", "30 seconds more"],
      ["O", "Open it again for 30 seconds"],
      ["V", "Take it out, so that it counts for nobody; or let it count again"],
      ["M", "Mark what was typed"],
    ],
  ],
  [
    "Marking",
    [
      ["J K", "Down and up; so do ↓ and ↑"],
      ["A", "Accept"],
      ["H", "Accept by half"],
      ["R", "Refuse"],
      ["U", "Undo: leave it to the machine"],
    ],
  ],
  [
    "The players",
    [
      ["W", "Go to the players; ↑ and ↓ walk through them"],
      ["G", "Give points to the player in focus, or take some"],
      ["R", "Rename the player in focus"],
      ["Del", "Remove the player in focus; you are asked first"],
      ["T", "Move the player in focus to another phone"],
      ["X", "Choose several players, to remove them"],
      ["L", "Lock or unlock the doors for new players"],
      ["I", "Let one phone in while the doors are locked"],
      ["C", "Change how many places there are"],
    ],
  ],
];

/** Every key of the console. */
export function KeyMap({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-map" aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keys</h2>
      <div class="key-groups">
        {groups.map(([title, entries]) => (
          <section key={title}>
            <h3>{title}</h3>
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
          </section>
        ))}
      </div>
      <form method="dialog">
        <button class="button button-primary">
          Close <kbd class="kbd">Esc</kbd>
        </button>
      </form>
    </dialog>
  );
}
