// Keeps the files of this directory: what was loaded once works without a network.
//
// A release is kept as a whole or not at all. The next one waits, as browsers have it, until no page
// and no worker has this one. A page outside of this directory may be of another release already: its
// worker, which names that in its address, gets all its files from the network.

// Both are written by playground.site: FILES has the digest of each file, in hexadecimal.
const RELEASE = '';
const FILES = {};

const SCOPE = self.registration.scope;
const PREFIX = `puppet-playground ${SCOPE} `;
const CACHE = PREFIX + RELEASE;

self.addEventListener('install', event => event.waitUntil(keepAll()));
self.addEventListener('activate', event => event.waitUntil(dropOthers()));
self.addEventListener('fetch', event => {
  const name = nameOf(event.request);
  if (name !== null) {
    event.respondWith(answer(event, name));
  }
});

/** Return which of the files a request is for, null for none. */
function nameOf({ method, url }) {
  const { origin, pathname } = new URL(url);
  const address = origin + pathname;
  if (method !== 'GET' || !address.startsWith(SCOPE)) {
    return null;
  }
  const name = address.slice(SCOPE.length) || 'index.html';
  return Object.hasOwn(FILES, name) ? name : null;
}

async function answer({ request, clientId }, name) {
  const release = releaseIn(request.url) ?? releaseIn((await self.clients.get(clientId))?.url);
  if (release !== null && release !== RELEASE) {
    return fetch(request, { cache: 'no-cache' });
  }
  const cache = await caches.open(CACHE);
  const kept = await cache.match(SCOPE + name);
  // What is kept has an address of its own, which a worker would take, and lose its release.
  return kept ? new Response(kept.body, kept) : fetch(request);
}

/** Return the release that the address of a worker names, null for that of anything else. */
function releaseIn(address) {
  return address ? new URL(address).searchParams.get('release') : null;
}

async function keepAll() {
  const cache = await caches.open(CACHE);
  try {
    await Promise.all(Object.keys(FILES).map(name => keep(cache, name)));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** Keep a file: what the browser has fetched for the page just now is not fetched again. */
async function keep(cache, name) {
  const address = SCOPE + name;
  const sources = [
    // What a worker has fetched.
    [`${address}?release=${RELEASE}`, { cache: 'only-if-cached', mode: 'same-origin' }],
    [address, { cache: 'force-cache' }],
    [address, { cache: 'reload' }]
  ];
  for (const source of sources) {
    const response = await fetch(...source).catch(Response.error);
    if (response.ok && (await digestOf(response.clone())) === FILES[name]) {
      await cache.put(address, response);
      return;
    }
  }
  throw new Error(`${address} cannot be loaded in release ${RELEASE}`);
}

async function digestOf(response) {
  const content = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

async function dropOthers() {
  const names = await caches.keys();
  const others = names.filter(name => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map(name => caches.delete(name)));
}
