import { t } from "../lib/language";
import type { Media, Problem } from "../lib/protocol";

/** What files are taken, as docs/protocol.md says; the most they may hold in bytes. */
const kinds = [
  { kind: "image", types: ["image/jpeg", "image/png", "image/gif", "image/webp"], most: 5 << 20 },
  { kind: "audio", types: ["audio/mpeg", "audio/mp4", "audio/x-m4a", "audio/aac", "audio/ogg", "audio/wav", "audio/x-wav"], most: 15 << 20 },
  { kind: "video", types: ["video/mp4", "video/webm"], most: 50 << 20 },
] as const;

export type MediaKind = Media["kind"];

/** For a file field: the types that are taken. */
export function typesOf(taken: readonly MediaKind[]): string {
  return kinds.flatMap(({ kind, types }) => (taken.includes(kind) ? types : [])).join(",");
}

/** Why a file need not be sent at all; undefined if it may be. The server looks at what is in it. */
export function refusal(file: { type: string; size: number }, taken: readonly MediaKind[]): string | undefined {
  const found = kinds.find(({ types }) => (types as readonly string[]).includes(file.type));
  if (!found || !taken.includes(found.kind)) {
    return taken.length > 1
      ? t("Choose a picture (JPEG, PNG, GIF, WebP), a sound (MP3, M4A, AAC, Ogg, WAV) or a film (MP4, WebM).")
      : t("Choose a picture: JPEG, PNG, GIF or WebP.");
  }
  if (file.size === 0) return t("The file is empty. Choose another one.");
  if (file.size > found.most) return tooLarge(found.kind, { most: found.most >> 20, size: Math.ceil((file.size / (1 << 20)) * 10) / 10 });
  return undefined;
}

function tooLarge(kind: MediaKind, megabytes: { most: number; size: number }): string {
  switch (kind) {
    case "image":
      return t("A picture may have {most} MB at most; this one has {size} MB. Make it smaller first.", megabytes);
    case "audio":
      return t("A sound may have {most} MB at most; this one has {size} MB. Make it smaller first.", megabytes);
    case "video":
      return t("A film may have {most} MB at most; this one has {size} MB. Make it smaller first.", megabytes);
  }
}

export type UploadReply = { media: Media } | { reason: string } | { cancelled: true };

/** Sends a file. Progress is told as the share sent, 0 to 1. Whatever goes wrong comes back as a sentence. */
export function upload(file: File, progress: (share: number) => void, signal: AbortSignal): Promise<UploadReply> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest(); // fetch tells no progress
    request.open("POST", "/api/v1/media");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(replyOf(request.status, request.response));
    request.onerror = () => resolve({ reason: t("The file did not arrive: the server cannot be reached. Try again.") });
    request.onabort = () => resolve({ cancelled: true });
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** What the server's reply means. */
export function replyOf(status: number, body: unknown): UploadReply {
  if (status === 201) {
    const { id, kind } = body as Media;
    return { media: { id, kind } };
  }
  if (status === 401) return { reason: t("You are signed out. Sign in again in another tab, then try again.") };
  return { reason: (body as Partial<Problem> | null)?.detail ?? t("The server had a problem. Try again in a moment.") };
}
