import { useEffect, useRef } from "preact/hooks";
import { Kbd } from "./kbd";
import { groups, shown } from "./keys";

/** Every key of the console. */
export function KeyMap({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-map" aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keys</h2>
      <div class="key-groups">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(({ key, meaning }) => (
                <div key={key}>
                  <dt>
                    <kbd class="kbd">{shown(key)}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="aside">While you type, no key does anything else.</p>
      <form method="dialog">
        <button class="button button-primary">
          Close <Kbd of="no" />
        </button>
      </form>
    </dialog>
  );
}
