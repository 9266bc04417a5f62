// The phone's service worker: it keeps the phone's page and its files, so that a reload without network shows the game and not the browser's
// own error. They are the same for everybody; what anybody plays or answers never goes through here.

/** What the server has written in: the page of this version, under its headers, and the files that it loads. */
declare const shell: { version: string; page: string; headers: Record<string, string>; files: string[] };

/** What the types of pages do not have of a service worker. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
declare const self: {
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
};

const patience = 3_000; // milliseconds for the network to bring the page
const cacheName = `phone ${shell.version}`;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(dropOlder()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(open(request));
  else if (shell.files.includes(new URL(request.url).pathname)) event.respondWith(file(request));
});

/** Fails where the files are not to be had, as while a new version is only half there; the browser tries again at the next visit. */
async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(shell.files);
  await self.skipWaiting(); // pages come from the network where there is one, so that none depends on the version before
}

async function dropOlder(): Promise<void> {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
}

/** The page from the network; the kept one where that is not there, takes too long, or leads to a server that is not well. */
async function open(request: Request): Promise<Response> {
  const late = new Promise<undefined>((over) => setTimeout(over, patience));
  const page = await Promise.race([fetch(request), late]).catch(() => undefined);
  return page && page.status < 500 ? page : new Response(shell.page, { headers: shell.headers });
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(request.url)) ?? fetch(request);
}

export {};
