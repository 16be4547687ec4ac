// The service worker of the static site: after the first visit, the page works offline. `make page`
// fills in the list of files and the version. It is not registered on a page from `jigsat serve`. A
// new version waits until no page uses the old one, so that the files of a page belong together.

const FILES = /* files */ [];
const CACHE = "jigsat-development";

addEventListener("install", (event) => event.waitUntil(keepFiles()));

/** Keep the files that are not kept yet, one by one: what an interrupted visit has kept is not
 * loaded again. */
async function keepFiles() {
  const cache = await caches.open(CACHE);
  for (const file of FILES) if (!(await cache.match(file))) await cache.add(file);
}

addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith("jigsat-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin)
    return;
  event.respondWith(
    caches
      .open(CACHE)
      .then(
        async (cache) =>
          (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request),
      ),
  );
});
