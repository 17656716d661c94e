// Keeps the files of this directory: what was loaded once works without a network.
//
// A release is kept as a whole or not at all, and its files are served from nowhere else: those of two
// releases never meet. The next release waits until no page has this one.

// Both are written by playground.site: FILES has the digest of each file, in hexadecimal.
const RELEASE = '';
const FILES = {};

const SCOPE = self.registration.scope;
const PREFIX = `puppet-playground ${SCOPE} `;
const CACHE = PREFIX + RELEASE;
const TAKE_OVER = 'take over';

self.addEventListener('install', event => event.waitUntil(keepAll()));
self.addEventListener('activate', event => event.waitUntil(dropOthers()));
self.addEventListener('message', ({ data }) => data === TAKE_OVER && self.skipWaiting());
self.addEventListener('fetch', event => {
  const name = nameOf(event.request);
  if (name !== null) {
    event.respondWith(answer(event.request, name));
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

async function answer(request, name) {
  const next = self.registration.waiting;
  if (request.mode === 'navigate' && next && (await self.clients.matchAll()).length < 2) {
    // The only page is being loaded anew: let it load the next release.
    next.postMessage(TAKE_OVER);
    return new Response('', { headers: { Refresh: '0' } });
  }
  const cache = await caches.open(CACHE);
  return (await cache.match(SCOPE + name)) ?? fetch(request);
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

async function keep(cache, name) {
  const response = await fetch(SCOPE + name, { cache: 'no-cache' });
  const content = await response.clone().arrayBuffer();
  if (!response.ok || (await digestOf(content)) !== FILES[name]) {
    throw new Error(`${SCOPE}${name} is not of release ${RELEASE}`);
  }
  await cache.put(SCOPE + name, response);
}

async function digestOf(content) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

async function dropOthers() {
  const names = await caches.keys();
  const others = names.filter(name => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map(name => caches.delete(name)));
}
