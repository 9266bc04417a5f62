import { CodeForm } from "./code-form";

/** The host lets nobody in any more, but those to whom they give a code of their own. */
export function LockedDoors({ again }: { again: () => void }) {
  return (
    <>
      <p class="notice" role="alert">
        The doors are locked just now. Ask the host: they can give you a code that lets you in.
      </p>
      <CodeForm label="Code from the host" />
      <button type="button" class="button button-quiet" onClick={again}>
        Try again without a code
      </button>
    </>
  );
}
