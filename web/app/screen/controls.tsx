import { useEffect, useState } from "preact/hooks";
import { Speaker } from "../lib/icons";
import { t } from "../lib/language";
import { LanguageLink } from "../lib/language-link";
import { FullScreen } from "./full-screen";
import { useKey } from "./use-key";
import type { Sounds } from "./use-sounds";

/** How long, in milliseconds, the buttons stay after the last sign of somebody. */
const rest = 3_000;

/** What somebody at the computer does. A key is noticed before the focus moves, so that Tab finds the buttons. */
const signs = ["pointermove", "pointerdown", "keydown", "focusin"];

/**
 * What somebody at the television's own computer can do. The buttons show themselves when the pointer moves, a key is pressed or the focus comes; each has a key of its own, but the
 * language, which nobody is to change by a slip.
 */
export function Controls({ sounds }: { sounds: Sounds }) {
  const awake = useAwake();
  const { on, allowed, toggle } = sounds;
  const waiting = on && !allowed; // for a touch, which the pressed key itself is
  useKey("s", () => waiting || toggle());
  return (
    <div class="controls" data-hidden={awake || waiting ? undefined : ""}>
      {waiting ? (
        <p class="for-sound">
          <Speaker /> {t("Press any key here for sound")}
        </p>
      ) : (
        <button type="button" class="button" aria-keyshortcuts="S" onClick={toggle}>
          <Speaker /> {on ? t("Turn sound off") : t("Turn sound on")} <kbd class="kbd">S</kbd>
        </button>
      )}
      <FullScreen />
      <LanguageLink look="button" />
    </div>
  );
}

/** Whether somebody is at the computer; the pointer is hidden together with the buttons. */
function useAwake(): boolean {
  const [awake, setAwake] = useState(true);
  useEffect(() => {
    let timer = setTimeout(() => setAwake(false), rest);
    const wake = () => {
      setAwake(true);
      clearTimeout(timer);
      timer = setTimeout(() => setAwake(false), rest);
    };
    for (const sign of signs) document.addEventListener(sign, wake);
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, wake);
    };
  }, []);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-resting", !awake);
  }, [awake]);
  return awake;
}
