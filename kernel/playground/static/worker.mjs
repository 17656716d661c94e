// The worker of a page: Python with the engine, which answers requests in JSON.
//
// From the page come { id, request }. To the page go { state: 'loading', bytes }, how much has come so
// far, and { state: 'ready' }, { state: 'failed', problem } or, for a page of another release,
// { state: 'outdated', problem } after the start; then for each request any number of { id, message }
// and one { id, reply }, or { id, fatal } when Python has come to its end and the worker with it.

// Written by playground.site. The address of this worker has that of the client which started it.
const RELEASE = '';
const PYODIDE = new URL('pyodide/', import.meta.url);
const OUTDATED = 'this page is of another release than its host has now: reload it.';
const START = `
from puppet_kernel.worker import Worker
Worker(send).answer
`;

let answer;
// Which request runs.
let current;

const send = text => postMessage({ id: current, message: JSON.parse(text) });

/**
 * Return the address of a file in this release. A host may let browsers use a file for some time
 * without asking for it, also when the next release is there.
 */
function released(address) {
  const found = new URL(address, import.meta.url);
  found.searchParams.set('release', RELEASE);
  return found.href;
}

/** Fetch files of this release, and count their bytes: Pyodide does not tell how far it is. */
function watchFetch() {
  const load = self.fetch;
  let bytes = 0;
  self.fetch = async (address, options) => {
    const response = await load(released(address), options);
    if (!response.ok || response.body === null) {
      return response;
    }
    const counted = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        postMessage({ state: 'loading', bytes });
        controller.enqueue(chunk);
      }
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address} cannot be loaded: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

async function start() {
  watchFetch();
  // Not before there is a worker that asks for them: sw.js looks at its address.
  const [{ ARCHIVE, startEngine }, { loadPyodide }] = await Promise.all([
    import(released('engine.mjs')),
    import(released('pyodide/pyodide.mjs'))
  ]);
  const archive = fetched(ARCHIVE);
  const python = await startEngine(loadPyodide, { indexURL: PYODIDE.href }, archive);
  python.globals.set('send', send);
  answer = python.runPython(START);
  python.globals.delete('send');
}

const isOutdated = new URL(self.location.href).searchParams.get('release') !== RELEASE;
const started = isOutdated ? Promise.reject(new Error(OUTDATED)) : start();
started.then(
  () => postMessage({ state: 'ready' }),
  error => {
    const state = isOutdated ? 'outdated' : 'failed';
    postMessage({ state, problem: `${error.message ?? error}` });
  }
);

self.onmessage = async ({ data: { id, request } }) => {
  await started;
  current = id;
  try {
    postMessage({ id, reply: JSON.parse(answer(JSON.stringify(request))) });
  } catch (error) {
    postMessage({ id, fatal: `${error.message ?? error}` });
  }
};
