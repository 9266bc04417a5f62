// A form that a limit refused comes back with what was typed into it. Nothing is kept but until the next page, and passwords and codes never are.

const key = "typed";

/** Keeps the forms of this page, should sending one be refused, and fills in what was refused before. */
export function keepTyped(): void {
  // A page that answered a form becomes one that was merely opened: going back to it would ask whether to send the form again. And it was not
  // refused, so refusals are counted anew.
  history.replaceState(null, "");
  refill();
  document.addEventListener("submit", ({ target }) => {
    if (target instanceof HTMLFormElement) keep(target);
  });
}

function keep(form: HTMLFormElement): void {
  const typed: [string, string][] = fields(form).map((field) => [field.name, field.value]);
  try {
    sessionStorage.setItem(key, JSON.stringify({ action: form.action, typed }));
  } catch {
    // without storage, the browser's own memory of forms has to do
  }
}

function refill(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as { action: string; typed: [string, string][] } | null;
    sessionStorage.removeItem(key);
    const form = [...document.forms].find(({ action }) => action === kept?.action);
    if (!kept || !form) return;
    const typed = new Map(kept.typed);
    for (const field of fields(form)) if (field.value === "") field.value = typed.get(field.name) ?? "";
  } catch {
    // nothing was kept
  }
}

function fields(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("input[name]:not([type=hidden], [type=password], [autocomplete=one-time-code])")];
}
