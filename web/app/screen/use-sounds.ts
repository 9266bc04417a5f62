import { useEffect, useRef, useState } from "preact/hooks";
import type { ScreenSnapshot } from "../lib/protocol";
import { keep, kept } from "../lib/storage";
import { ahead, heard } from "./cues";
import { play } from "./synthesizer";

const key = "screen-sounds";

export interface Sounds {
  /** Whether they are wanted; remembered by this browser. */
  on: boolean;
  /** Whether the browser lets them be heard: only once somebody has touched the screen or pressed a key. */
  allowed: boolean;
  toggle: () => void;
}

/** The evening's sounds, on the server's clock. They are off until somebody at the screen wants them. */
export function useSounds(snapshot: ScreenSnapshot | undefined, now: () => number): Sounds {
  const [on, setOn] = useState(kept(key) === "on");
  const context = useAudioContext(on);
  const before = useRef<ScreenSnapshot | undefined>(undefined);
  useEffect(() => {
    if (!snapshot) return;
    const sound = heard(before.current, snapshot, now());
    before.current = snapshot;
    if (!context) return;
    if (sound) play(context, sound);
    const timers = ahead(snapshot, now()).map(({ sound, at }) => window.setTimeout(() => play(context, sound), at - now()));
    return () => timers.forEach((timer) => window.clearTimeout(timer));
  }, [context, snapshot?.epoch, snapshot?.version]);
  useEffect(() => {
    if (context) play(context, "opened"); // so that one hears how loud it is
  }, [context]);
  const toggle = () => {
    keep(key, on ? "off" : "on");
    setOn(!on);
  };
  return { on, allowed: context !== undefined, toggle };
}

/** Where sounds are made, while they are wanted and once the browser allows it. */
function useAudioContext(on: boolean): AudioContext | undefined {
  const [running, setRunning] = useState<AudioContext>();
  useEffect(() => {
    if (!on) return;
    let context: AudioContext | undefined;
    const begin = () => {
      if (!context) {
        context = new AudioContext();
        context.onstatechange = () => setRunning(context?.state === "running" ? context : undefined);
      }
      void context.resume().catch(() => {}); // the next touch tries again
    };
    if (navigator.userActivation?.hasBeenActive) begin();
    document.addEventListener("pointerdown", begin);
    document.addEventListener("keydown", begin);
    return () => {
      document.removeEventListener("pointerdown", begin);
      document.removeEventListener("keydown", begin);
      setRunning(undefined);
      if (context) {
        context.onstatechange = null;
        void context.close();
      }
    };
  }, [on]);
  return running;
}
