import { t } from "../lib/language";
import type { Problem } from "../lib/protocol";
import { CodeForm } from "./code-form";

/** The host lets nobody in any more, but those to whom they give a code of their own. */
export function LockedDoors({ problem, again }: { problem: Problem; again: () => void }) {
  return (
    <>
      <p class="notice" role="alert">
        {problem.detail ?? problem.title}
      </p>
      <CodeForm label={t("Code from the host")} />
      <button type="button" class="button button-quiet" onClick={again}>
        {t("Try again without a code")}
      </button>
    </>
  );
}
