import { useRef } from "preact/hooks";
import { typesOf } from "../editor/upload";
import type { Upload } from "../editor/use-uploads";
import { mediaURL } from "../lib/media";

interface PictureProps {
  id: string;
  /** "the logo", "picture 2" */
  what: string;
  /** Shows it before the one that is before it now. */
  earlier?: (() => void) | undefined;
  remove: () => void;
}

/** A picture that is there, and what can be done with it. */
export function Picture({ id, what, earlier, remove }: PictureProps) {
  return (
    <div class="picture">
      <img src={mediaURL({ id })} alt={`What ${what} shows`} />
      <div class="picture-tools">
        {earlier && (
          <button type="button" class="button button-small button-quiet" onClick={earlier}>
            Earlier<span class="visually-hidden">: {what}</span>
          </button>
        )}
        <button type="button" class="button button-small button-quiet" onClick={remove}>
          Remove<span class="visually-hidden"> {what}</span>
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
        {sending ? `Sending… ${Math.round(upload.share * 100)} %` : words}
      </button>
      <span class="field-hint">or drop it here: JPEG, PNG, GIF or WebP</span>
      {upload && "reason" in upload && (
        <p class="field-problem" role="alert">
          {upload.reason}
        </p>
      )}
    </div>
  );
}
