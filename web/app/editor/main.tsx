import { render } from "preact";
import { boot } from "../lib/boot";
import type { Problem } from "../lib/protocol";
import { Editor, type LoadedQuiz } from "./editor";

const root = document.getElementById("app");
const page = boot();
if (root && page.page === "editor") void open(root, page.quiz);

async function open(root: HTMLElement, quiz: string): Promise<void> {
  try {
    const response = await fetch(`/api/v1/quizzes/${quiz}`, { signal: AbortSignal.timeout(15_000) });
    const body: unknown = await response.json();
    if (!response.ok) return fail(root, (body as Partial<Problem>).detail);
    render(<Editor quiz={quiz} loaded={body as LoadedQuiz} />, root);
  } catch {
    fail(root, undefined);
  }
}

function fail(root: HTMLElement, reason = "The quiz could not be loaded: the server cannot be reached."): void {
  render(
    <main class="failed">
      <h1>That did not work</h1>
      <p>{reason}</p>
      <button type="button" class="button button-primary" onClick={() => location.reload()}>
        Try again
      </button>
    </main>,
    root,
  );
}
