import { t } from "../lib/language";
import type { Problem } from "../lib/protocol";

/** Why something came to nothing, as a sentence. */
export interface Refused {
  problem: string;
}

/** Asks the server for something else than an answer: a joker, a code. It never throws. isReply knows a reply of ours. */
export async function ask<R>(session: string, what: string, body: object, isReply: (reply: unknown) => reply is R): Promise<R | Refused> {
  try {
    const response = await fetch(`/api/v1/sessions/${encodeURIComponent(session)}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(8_000),
    });
    const reply: unknown = await response.json();
    if (response.ok && isReply(reply)) return reply;
    const { detail, title } = reply as Partial<Problem>;
    return { problem: detail ?? title ?? t("That did not work. Please try again.") };
  } catch {
    return { problem: t("The WiFi is struggling. Please try again.") };
  }
}
