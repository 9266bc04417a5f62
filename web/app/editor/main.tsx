import { render } from "preact";
import { boot, emptied } from "../lib/boot";
import { t } from "../lib/language";
import type { Problem } from "../lib/protocol";
import { Editor } from "./editor";
import type { ScreenStyles } from "./preview";
import type { LoadedQuiz } from "./use-editing";

const page = boot();
if (page.page === "editor") void open(emptied(), page.quiz, page.styles);

async function open(root: HTMLElement, quiz: string, styles: ScreenStyles): Promise<void> {
  const slow = setTimeout(() => wait(root), 300);
  try {
    const response = await fetch(`/api/v1/quizzes/${quiz}`, { signal: AbortSignal.timeout(15_000) });
    const body: unknown = await response.json();
    clearTimeout(slow);
    if (!response.ok) return fail(root, (body as Partial<Problem>).detail);
    render(<Editor quiz={quiz} loaded={body as LoadedQuiz} styles={styles} />, root);
  } catch {
    clearTimeout(slow);
    fail(root, undefined);
  }
}

function wait(root: HTMLElement): void {
  render(
    <main class="starting">
      <p role="status">{t("Getting the quiz…")}</p>
    </main>,
    root,
  );
}

function fail(root: HTMLElement, reason = t("The quiz could not be loaded: the server cannot be reached.")): void {
  render(
    <main class="failed">
      <h1>{t("That did not work")}</h1>
      <p>{reason}</p>
      <button type="button" class="button button-primary" onClick={() => location.reload()}>
        {t("Try again")}
      </button>
    </main>,
    root,
  );
}
