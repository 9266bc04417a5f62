import { useEffect, useState } from "preact/hooks";
import { Speaker } from "../lib/icons";
import { FullScreen } from "./full-screen";
import { useKey } from "./use-key";
import type { Sounds } from "./use-sounds";

/** How long, in milliseconds, the buttons stay after the pointer rests. */
const rest = 3_000;

/** What somebody at the television's own computer can do. The buttons show themselves when the pointer moves or the focus comes; each has a key. */
export function Controls({ sounds }: { sounds: Sounds }) {
  const awake = useAwake();
  const { on, allowed, toggle } = sounds;
  const waiting = on && !allowed; // for a touch, which the pressed key itself is
  useKey("s", () => waiting || toggle());
  return (
    <div class="controls" data-hidden={awake || waiting ? undefined : ""}>
      {waiting ? (
        <p class="for-sound">
          <Speaker /> Press any key here for sound
        </p>
      ) : (
        <button type="button" class="button" aria-keyshortcuts="S" onClick={toggle}>
          <Speaker /> {on ? "Turn sound off" : "Turn sound on"} <kbd class="kbd">S</kbd>
        </button>
      )}
      <FullScreen />
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
    document.addEventListener("pointermove", wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointermove", wake);
    };
  }, []);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-resting", !awake);
  }, [awake]);
  return awake;
}
