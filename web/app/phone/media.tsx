import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { Speaker } from "../lib/icons";
import { t } from "../lib/language";
import { mediaURL } from "../lib/media";
import type { Media } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";

/**
 * What belongs to a question or a round. Sounds and films play on the big screen; a phone plays them only when asked, and loads
 * nothing of them before: a room of phones shares one WiFi.
 */
export function PhoneMedia({ media }: { media: Media | undefined }) {
  if (!media) return null;
  if (media.kind === "image") return <Picture media={media} />;
  return (
    <figure class="recording">
      {media.kind === "audio" ? (
        <audio controls preload="none" src={mediaURL(media)} aria-label={media.alt || t("Sound")} />
      ) : (
        <video controls preload="none" playsInline src={mediaURL(media)} aria-label={media.alt || t("Film")} />
      )}
      <figcaption>
        <Speaker />
        {t("It plays on the big screen.")}
      </figcaption>
    </figure>
  );
}

/** A picture in a box of fixed size, so that nothing moves when it arrives. A tap enlarges it. */
function Picture({ media }: { media: Media }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [missing, setMissing] = useState(false);
  const language = useContext(QuizLanguage);
  useEffect(() => (missing ? fetchAgain(mediaURL(media), () => setMissing(false)) : undefined), [missing]);
  if (missing) return <p class="picture missing">{t("The picture did not arrive. It is on the big screen.")}</p>;
  return (
    <>
      <button type="button" class="picture" onClick={() => dialog.current?.showModal()}>
        <img src={mediaURL(media)} alt={media.alt ?? ""} lang={language} onError={() => setMissing(true)} />
        <span class="visually-hidden">{t("Enlarge the picture")}</span>
      </button>
      <dialog ref={dialog} class="enlarged" aria-label={media.alt || t("Picture")} onClick={() => dialog.current?.close()}>
        <img src={mediaURL(media)} alt="" />
        <button type="button" class="button">
          {t("Close")}
        </button>
      </dialog>
    </>
  );
}

const tries = 5;

/** Asks for a picture that did not arrive, a few times and ever more seldom: a whole room may miss the same one. Returns what stops it. */
function fetchAgain(url: string, onLoad: () => void): () => void {
  const picture = new Image();
  let timer = 0;
  const later = (tried: number) => {
    if (tried < tries) timer = window.setTimeout(() => (picture.src = url), 1_000 * 2 ** tried * (1 + Math.random()));
    picture.onerror = () => later(tried + 1);
  };
  picture.onload = onLoad;
  later(0);
  return () => {
    clearTimeout(timer);
    picture.onload = picture.onerror = null;
  };
}
