import { useId, useRef, useState } from "preact/hooks";
import { rich, t } from "../lib/language";
import { mediaURL } from "../lib/media";
import type { Media } from "../lib/protocol";
import { bounds } from "./draft";
import { TextField } from "./fields";
import { type MediaKind, typesOf } from "./upload";
import type { Uploads } from "./use-uploads";

interface MediaFieldProps {
  /** Of the question or round that it belongs to. */
  owner: number;
  media: Media | undefined;
  taken: readonly MediaKind[];
  uploads: Uploads;
  change: (media: Media | undefined, field?: string) => void;
}

/** A picture, sound or film: chosen, dropped or pasted, on its way, there, or refused. */
export function MediaField({ owner, media, taken, uploads, change }: MediaFieldProps) {
  const upload = uploads.of(owner);
  const send = (file: File | undefined) => file && uploads.send(owner, file, taken);
  if (upload && "share" in upload) return <Sending name={upload.name} share={upload.share} cancel={() => uploads.end(owner)} />;
  return (
    <div class="media-field">
      {media && <Shown media={media} change={change} />}
      <Chooser media={media} taken={taken} send={send} remove={() => change(undefined)} />
      {upload && (
        <p class="field-problem" role="alert">
          {upload.reason}
        </p>
      )}
    </div>
  );
}

function Sending({ name, share, cancel }: { name: string; share: number; cancel: () => void }) {
  const id = useId();
  const percent = Math.round(share * 100);
  return (
    <div class="media-field is-sending">
      <label for={id}>{share < 1 ? rich("Sending {name}…", { name: <bdi>{name}</bdi> }) : rich("Preparing {name}…", { name: <bdi>{name}</bdi> })}</label>
      <progress id={id} max={100} value={share < 1 ? percent : undefined} />
      <span class="tabular percent">{share < 1 && t("{percent} %", { percent })}</span>
      <button type="button" class="button button-small" onClick={cancel}>
        {t("Cancel")}
      </button>
    </div>
  );
}

/** What is said of each kind. */
const words: Record<MediaKind, { remove: string; lost: string; alt: string }> = {
  image: {
    remove: t("Remove the picture"),
    lost: t("The picture cannot be loaded. Replace it, or remove it."),
    alt: t("What the picture shows, for players who cannot see it. Do not give the answer away."),
  },
  audio: {
    remove: t("Remove the sound"),
    lost: t("The sound cannot be loaded. Replace it, or remove it."),
    alt: t("What the sound is, for players who cannot hear it. Do not give the answer away."),
  },
  video: {
    remove: t("Remove the film"),
    lost: t("The film cannot be loaded. Replace it, or remove it."),
    alt: t("What the film shows, for players who cannot see it. Do not give the answer away."),
  },
};

function Chooser({ media, taken, send, remove }: Pick<MediaFieldProps, "media" | "taken"> & {
  send: (file: File | undefined) => void;
  remove: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const add = taken.length > 1 ? t("+ Add a picture, sound or film") : t("+ Add a picture");
  return (
    <div
      class="chooser"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        send(event.dataTransfer?.files[0]);
      }}
    >
      <input
        ref={field}
        type="file"
        hidden
        accept={typesOf(taken)}
        onChange={(event) => {
          send(event.currentTarget.files?.[0]);
          event.currentTarget.value = ""; // the same file may be chosen again
        }}
      />
      <button type="button" class="button button-small" onClick={() => field.current?.click()}>
        {media ? t("Replace") : add}
      </button>
      {media ? (
        <button type="button" class="button button-small button-quiet" onClick={remove}>
          {words[media.kind].remove}
        </button>
      ) : (
        <span class="field-hint">{t("or drop it here, or paste it")}</span>
      )}
    </div>
  );
}

function Shown({ media, change }: { media: Media; change: MediaFieldProps["change"] }) {
  const [lost, setLost] = useState("");
  const address = mediaURL(media);
  const gone = () => setLost(media.id);
  return (
    <>
      {lost === media.id ? (
        <p class="field-problem" role="alert">
          {words[media.kind].lost}
        </p>
      ) : (
        <div class="media-shown" data-kind={media.kind}>
          {media.kind === "image" && <img src={address} alt={media.alt ?? ""} onError={gone} />}
          {media.kind === "audio" && <audio src={address} controls preload="metadata" aria-label={media.alt || t("The sound")} onError={gone} />}
          {media.kind === "video" && <video src={address} controls playsInline preload="metadata" aria-label={media.alt || t("The film")} onError={gone} />}
        </div>
      )}
      <TextField
        label={t("In words")}
        value={media.alt ?? ""}
        onInput={(alt) => change({ id: media.id, kind: media.kind, ...(alt && { alt }) }, "alt")}
        max={bounds.alt}
        hint={words[media.kind].alt}
      />
    </>
  );
}
