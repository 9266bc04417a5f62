import { reasonOf } from "../importer/send";
import { t } from "../lib/language";
import type { Look } from "../lib/protocol";

/** Stores a look. The reply has the colours that its accent becomes; whatever goes wrong comes back as a sentence. */
export async function save({ accent, logo, pictures }: Look): Promise<Look | { reason: string }> {
  try {
    const response = await fetch("/api/v1/look", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ accent, logo, pictures }),
      signal: AbortSignal.timeout(30_000),
    });
    const reply: unknown = await response.json().catch(() => null);
    return response.ok && reply ? (reply as Look) : { reason: reasonOf(response.status, reply) };
  } catch {
    return { reason: t("The server cannot be reached. Try again in a moment.") };
  }
}
