import { useRef } from "preact/hooks";
import { typesOf } from "../editor/upload";
import type { Upload } from "../editor/use-uploads";
import { t } from "../lib/language";
import { mediaURL } from "../lib/media";

interface PictureProps {
  id: string;
  alt: string;
  /** Shows it before the one that is before it now; label says which, to a screen reader. */
  earlier?: { label: string; move: () => void } | undefined;
  /** What removing it is called for a screen reader. */
  removal: string;
  remove: () => void;
}

/** A picture that is there, and what can be done with it. */
export function Picture({ id, alt, earlier, removal, remove }: PictureProps) {
  return (
    <div class="picture">
      <img src={mediaURL({ id })} alt={alt} />
      <div class="picture-tools">
        {earlier && (
          <button type="button" class="button button-small button-quiet" aria-label={earlier.label} onClick={earlier.move}>
            {t("Earlier")}
          </button>
        )}
        <button type="button" class="button button-small button-quiet" aria-label={removal} onClick={remove}>
          {t("Remove")}
        </button>
      </div>
    </div>
  );
}

interface AddPictureProps {
  words: string;
  upload: Upload | undefined;
  send: (file: File) => void;
}

/** A way to bring a picture: chosen or dropped. */
export function AddPicture({ words, upload, send }: AddPictureProps) {
  const field = useRef<HTMLInputElement>(null);
  const sending = upload && "share" in upload;
  const take = (file: File | undefined) => file && !sending && send(file);
  return (
    <div
      class="add-picture"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files[0]);
      }}
    >
      <input
        ref={field}
        type="file"
        hidden
        accept={typesOf(["image"])}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = ""; // the same file may be chosen again
        }}
      />
      <button type="button" class="button" aria-disabled={sending} onClick={() => sending || field.current?.click()}>
        {sending ? t("Sending… {percent} %", { percent: Math.round(upload.share * 100) }) : words}
      </button>
      <span class="field-hint">{t("or drop it here: JPEG, PNG, GIF or WebP")}</span>
      {upload && "reason" in upload && (
        <p class="field-problem" role="alert">
          {upload.reason}
        </p>
      )}
    </div>
  );
}
