import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { Speaker } from "../lib/icons";
import { t } from "../lib/language";
import { mediaURL } from "../lib/media";
import type { Media } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";

interface MediaProps {
  media: Media;
  /** Whether sounds and films play here at all. */
  playing: boolean;
  /** Whether the question has not opened: they are loaded, and start when it does. */
  waiting?: boolean;
  /** Whether the question's clock is paused: so are they. */
  paused: boolean;
  /** Whether the question has just come up: nothing starts by itself on a screen that comes late. */
  fresh: boolean;
}

/** A picture or a film beside the question, as large as fits. */
export function StageMedia(props: MediaProps) {
  const { media } = props;
  const [missing, setMissing] = useState(false);
  const language = useContext(QuizLanguage);
  if (missing) return null;
  if (media.kind === "image") {
    return (
      <figure class="stage-media">
        <img src={mediaURL(media)} alt={media.alt ?? ""} lang={language} onError={() => setMissing(true)} />
      </figure>
    );
  }
  return <Film {...props} missing={() => setMissing(true)} />;
}

function Film({ missing, ...props }: MediaProps & { missing: () => void }) {
  const film = useRef<HTMLVideoElement>(null);
  const silent = usePlayback(film, props);
  return (
    <figure class="stage-media">
      <video ref={film} src={mediaURL(props.media)} aria-label={props.media.alt || t("Film")} preload="auto" playsInline muted={!props.playing} onError={missing} />
      {silent && <figcaption class="sound">{forSound}</figcaption>}
    </figure>
  );
}

const forSound = t("Press any key here for sound");

/** A sound, which one can see. */
export function Sound(props: MediaProps) {
  const sound = useRef<HTMLAudioElement>(null);
  const silent = usePlayback(sound, props);
  const [sounding, setSounding] = useState(false);
  const again = () => {
    const { current } = sound;
    if (!current) return;
    current.currentTime = 0;
    void current.play().catch(() => {}); // it stays silent, as it shows
  };
  return (
    <p class="sound" data-sounding={sounding ? "" : undefined}>
      <audio
        ref={sound}
        src={mediaURL(props.media)}
        preload={props.playing ? "auto" : "none"}
        onPlay={() => setSounding(true)}
        onPause={() => setSounding(false)}
      />
      <Speaker />
      {silent ? forSound : sounding || !props.playing ? t("Listen…") : <button type="button" onClick={again}>{t("Play it again")}</button>}
    </p>
  );
}

/**
 * Plays a sound or a film once when its question comes up. Browsers let a page make no sound before somebody has touched it or
 * pressed a key: until then a film plays without its sound, and the returned value says so.
 */
function usePlayback(ref: { current: HTMLMediaElement | null }, { playing, waiting = false, paused, fresh }: MediaProps): boolean {
  const [silent, setSilent] = useState(false);
  const begun = useRef(false);
  useEffect(() => {
    const media = ref.current;
    if (!media || !playing || waiting || (!fresh && !begun.current)) return;
    if (paused) return media.pause();
    if (begun.current && (media.ended || !media.paused)) return;
    begun.current = true;
    media.play().catch(() => {
      if (media.error) return;
      setSilent(true);
      media.muted = true;
      if (media instanceof HTMLVideoElement) void media.play().catch(() => {});
    });
  }, [playing, waiting, paused, fresh]);
  useEffect(() => {
    if (!silent) return;
    const unmute = () => {
      const media = ref.current;
      if (!media) return;
      media.muted = false;
      void media.play().then(() => setSilent(false), () => {});
    };
    document.addEventListener("pointerdown", unmute);
    document.addEventListener("keydown", unmute);
    return () => {
      document.removeEventListener("pointerdown", unmute);
      document.removeEventListener("keydown", unmute);
    };
  }, [silent]);
  return silent;
}
