import { useEffect, useState } from "preact/hooks";
import { t } from "../lib/language";
import { useKey } from "./use-key";

/** A button that fills the screen. F presses it too. */
export function FullScreen() {
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, []);
  useKey("f", toggle);
  if (!document.fullscreenEnabled) return null;
  return (
    <button type="button" class="button" aria-keyshortcuts="F" onClick={toggle}>
      {full ? t("Leave full screen") : t("Full screen")} <kbd class="kbd">F</kbd>
    </button>
  );
}

function toggle(): void {
  // A browser may refuse, for example on a television's own remote: the window stays as it is.
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  else void document.documentElement.requestFullscreen().catch(() => {});
}
