import { t } from "../lib/language";
import type { Problem, QuizContent } from "../lib/protocol";
import type { Import } from "./files";

/** The most that a file may hold, in bytes: docs/protocol.md. */
const mostBytes = 5 << 20;

/** Lets the server read a file. Nothing is stored by that. Progress is told as the share sent, 0 to 1; whatever goes wrong comes back as a sentence. */
export function read(name: string, body: Blob, progress: (share: number) => void): Promise<Import | { reason: string }> {
  if (body.size > mostBytes) return Promise.resolve({ reason: t("This file is larger than {most} MB. Split it into smaller files.", { most: mostBytes >> 20 }) });
  return new Promise((resolve) => {
    const request = new XMLHttpRequest(); // fetch tells no progress
    request.open("POST", `/api/v1/imports?name=${encodeURIComponent(name)}`);
    request.responseType = "json";
    request.timeout = 120_000;
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(request.status === 200 && request.response ? (request.response as Import) : { reason: reasonOf(request.status, request.response) });
    request.onerror = request.ontimeout = () => resolve({ reason: t("The file did not arrive: the server cannot be reached. Try it again.") });
    request.send(body);
  });
}

/** Stores the quiz, and returns its id. */
export async function create(content: QuizContent): Promise<{ quiz: string } | { reason: string }> {
  try {
    const response = await fetch("/api/v1/quizzes", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ content }),
      signal: AbortSignal.timeout(30_000),
    });
    const reply: unknown = await response.json().catch(() => null);
    return response.ok && reply ? (reply as { quiz: string }) : { reason: reasonOf(response.status, reply) };
  } catch {
    return { reason: t("The server cannot be reached. Everything here is kept: try again in a moment.") };
  }
}

/** What a refusal means to the author. */
export function reasonOf(status: number, body: unknown): string {
  const { detail, retryAfter } = (body ?? {}) as Partial<Problem>;
  if (status === 401) return t("You are signed out. Sign in again in another tab, then try again.");
  if (status === 429) {
    return t({ one: "That was a lot at once. Try again in {n} second.", other: "That was a lot at once. Try again in {n} seconds." }, { n: retryAfter ?? 60 });
  }
  return detail ?? t("The server had a problem. Try again in a moment.");
}
