import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../lib/language";
import { letSingleKeysAct, singleKeysAct } from "../lib/single-keys";
import { Kbd } from "./kbd";
import { groups, shown } from "./keys";

/** Every key of the console. */
export function KeyMap({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [act, setAct] = useState(singleKeysAct());
  useEffect(() => dialog.current?.showModal(), []);
  const turn = (on: boolean) => {
    letSingleKeysAct(on);
    setAct(on);
  };
  return (
    <dialog ref={dialog} class="key-map" aria-labelledby="keys" onClose={close}>
      <h2 id="keys">{t("Keys")}</h2>
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
      <form method="dialog" class="key-foot">
        <p class="aside">{t("While you type, no key does anything else.")}</p>
        <label class="single-keys">
          <input type="checkbox" checked={act} onChange={(event) => turn(event.currentTarget.checked)} /> {t("Act on single keys")}
        </label>
        <button class="button button-primary">
          {t("Close")} <Kbd of="no" />
        </button>
      </form>
    </dialog>
  );
}
