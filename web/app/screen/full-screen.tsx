import { useEffect, useState } from "preact/hooks";

/** How long, in milliseconds, the button stays after the pointer rests. */
const rest = 3_000;

/** A button that fills the screen, gone once it does; it shows itself when the pointer moves or the focus comes. F presses it too. */
export function FullScreen() {
  const full = useFull();
  const awake = useAwake();
  if (!document.fullscreenEnabled) return null;
  return (
    <button type="button" class="button full-screen" data-hidden={full || !awake ? "" : undefined} aria-keyshortcuts="F" onClick={toggle}>
      {full ? "Leave full screen" : "Full screen"} <kbd class="kbd">F</kbd>
    </button>
  );
}

function useFull(): boolean {
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null);
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
    };
    document.addEventListener("fullscreenchange", changed);
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      document.removeEventListener("keydown", press);
    };
  }, []);
  return full;
}

/** Whether somebody is at the computer; the pointer is hidden together with the button. */
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

function toggle(): void {
  // A browser may refuse, for example on a television's own remote: the window stays as it is.
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  else void document.documentElement.requestFullscreen().catch(() => {});
}
