// Passkeys: what a form with data-passkey asks the browser for. Where the browser has none, the form stays hidden and there are other ways in.
import { t } from "../lib/language";

interface Problem {
  detail: string;
}

/** Makes the forms for passkeys work, if the browser can do what they need. */
export function offerPasskeys(): void {
  if (typeof PublicKeyCredential === "undefined" || !("parseCreationOptionsFromJSON" in PublicKeyCredential)) return;
  for (const part of document.querySelectorAll<HTMLElement>("[data-with-passkeys]")) part.hidden = false;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void carryOut(form);
    });
  }
}

async function carryOut(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button")!;
  const told = form.querySelector<HTMLElement>("[role=alert]")!;
  const typed = Object.fromEntries(new FormData(form)) as Record<string, string>;
  button.disabled = true;
  told.hidden = true;
  try {
    location.assign(await (form.dataset.passkey === "add" ? add(typed) : signIn(typed)));
  } catch (error) {
    told.textContent = reason(error);
    told.hidden = false;
    button.disabled = false;
    button.focus();
  }
}

async function add({ name, password = "" }: Record<string, string>): Promise<string> {
  const options = await send<PublicKeyCredentialCreationOptionsJSON>("/api/v1/passkeys/begin", { password });
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  return (await send<{ next: string }>("/api/v1/passkeys", { name, credential: (made as PublicKeyCredential).toJSON() })).next;
}

async function signIn({ next = "" }: Record<string, string>): Promise<string> {
  const options = await send<PublicKeyCredentialRequestOptionsJSON>("/api/v1/signin/passkey/begin", {});
  const used = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  return (await send<{ next: string }>("/api/v1/signin/passkey", { next, credential: (used as PublicKeyCredential).toJSON() })).next;
}

class Refused extends Error {}

async function send<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Refused(((await answer.json()) as Problem).detail);
  return (await answer.json()) as T;
}

/** What happened, and what to do. */
function reason(error: unknown): string {
  if (error instanceof Refused) return error.message;
  switch (error instanceof Error ? error.name : "") {
    case "InvalidStateError":
      return t("This device has a passkey for your account already.");
    case "NotAllowedError":
    case "AbortError":
      return t("Nothing was done. Try again, or use another way in.");
    case "TypeError": // what fetch throws without a network
      return t("There is no connection at the moment. Try again when there is.");
    default:
      return t("Your browser could not do it. Use another way in.");
  }
}
