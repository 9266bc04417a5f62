import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../lib/language";
import { Kbd } from "./kbd";

interface SheetProps {
  /** Names it on the page, and its title to who hears it. */
  id: string;
  title: string;
  /** What else its head offers. */
  head?: ComponentChildren;
  close: () => void;
  children: ComponentChildren;
}

/** What is laid over the console to be read, until it is closed. */
export function Sheet({ id, title, head, close, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="papers" data-of={id} aria-labelledby={id} onClose={close}>
      <header>
        <h2 id={id}>{title}</h2>
        {head}
        <form method="dialog">
          <button class="button button-small">
            {t("Close")} <Kbd of="no" />
          </button>
        </form>
      </header>
      {children}
    </dialog>
  );
}
