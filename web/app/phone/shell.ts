// The page itself, kept by a service worker for a reload without network. Browsers have none on plain http, nor in some private windows: there
// the page is as gone as the network.

/** Has the browser keep the page from now on, and look for a newer one at each visit. */
export function keepShell(): void {
  navigator.serviceWorker?.register("/play/worker.js").catch(() => {
    // Without it the game goes on all the same.
  });
}

/** Leaves nothing behind on a phone that is out of the game. */
export function dropShell(): void {
  navigator.serviceWorker
    ?.getRegistration("/play/")
    .then((registration) => registration?.unregister())
    .catch(() => {
      // Then there is none.
    });
}
