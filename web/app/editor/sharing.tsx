import { useId, useState } from "preact/hooks";
import { t } from "../lib/language";
import type { Problem } from "../lib/protocol";
import { Group } from "./fields";

export interface SharingProps {
  quiz: string;
  url: string | undefined;
  /** Saves what is not saved yet, which is what the link shows. */
  settle: () => Promise<unknown>;
  changed: (url: string | undefined) => void;
}

/** A link under which everyone may read the quiz, switched on and off. */
export function Sharing({ quiz, url, settle, changed }: SharingProps) {
  const id = useId();
  const [state, setState] = useState<"" | "busy" | "copied">("");
  const [problem, setProblem] = useState<string>();
  const set = async (shared: boolean) => {
    setState("busy");
    if (shared) await settle();
    const reply = await putShared(quiz, shared);
    setState("");
    setProblem("reason" in reply ? reply.reason : undefined);
    if (!("reason" in reply)) changed(reply.url);
  };
  const copy = async (address: string) => {
    try {
      await navigator.clipboard.writeText(address);
      setState("copied");
    } catch {
      setProblem(t("This browser does not let us copy. Select the link, and copy it from there."));
    }
  };
  return (
    <Group legend={t("Share it to read")} hint={t("Whoever has the link sees all questions with their answers and your notes, and can take a copy.")} problem={problem}>
      {url === undefined ? (
        <button type="button" class="button button-small fit-start" disabled={state === "busy"} onClick={() => void set(true)}>
          {t("Make a link")}
        </button>
      ) : (
        <div class="share-link">
          <label class="visually-hidden" for={id}>
            {t("Link to read the quiz")}
          </label>
          <input id={id} class="input" readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
          <button type="button" class="button button-small" onClick={() => void copy(url)}>
            <span role="status">{state === "copied" ? t("✓ Copied") : t("Copy")}</span>
          </button>
          <a class="button button-small" href={url} target="_blank" rel="noreferrer">
            {t("Open ↗")}
          </a>
          <button type="button" class="button button-small button-danger" disabled={state === "busy"} onClick={() => void set(false)}>
            {t("Stop sharing")}
          </button>
        </div>
      )}
    </Group>
  );
}

async function putShared(quiz: string, shared: boolean): Promise<{ url?: string } | { reason: string }> {
  try {
    const response = await fetch(`/api/v1/quizzes/${quiz}/share`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ shared }),
      signal: AbortSignal.timeout(15_000),
    });
    const body: unknown = await response.json();
    if (response.ok) return body as { url?: string };
    return { reason: (body as Partial<Problem>).detail ?? t("The server had a problem. Try again in a moment.") };
  } catch {
    return { reason: t("The server cannot be reached. Try again.") };
  }
}
