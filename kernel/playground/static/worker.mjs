// The worker of a page: Python with the engine, which answers requests in JSON.
//
// From the page come { id, request }. To the page go { state: 'loading', bytes }, how much has come so
// far, and { state: 'ready' } or { state: 'failed', problem } after the start; then for each request
// any number of { id, message } and one { id, reply }, or { id, fatal } when Python has come to its
// end and the worker with it.

// Written by playground.site. The address of this worker has that of the client which started it.
const RELEASE = '';
const PYODIDE = new URL('pyodide/', import.meta.url);
const START = `
from puppet_kernel.worker import Worker
Worker(send).answer
`;

let answer;
// Which request runs.
let current;

const send = text => postMessage({ id: current, message: JSON.parse(text) });

/** Count what is fetched: Pyodide does not tell how far it is. */
function countBytes() {
  const load = self.fetch;
  let bytes = 0;
  self.fetch = async (...request) => {
    const response = await load(...request);
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
  if (new URL(self.location.href).searchParams.get('release') !== RELEASE) {
    throw new Error('this page is of another release than its host has now: reload it.');
  }
  countBytes();
  // Not before there is a worker that asks for them: sw.js looks at its address.
  const [{ ARCHIVE, startEngine }, { loadPyodide }] = await Promise.all([
    import('./engine.mjs'),
    import('./pyodide/pyodide.mjs')
  ]);
  const archive = fetched(new URL(ARCHIVE, import.meta.url));
  const python = await startEngine(loadPyodide, { indexURL: PYODIDE.href }, archive);
  python.globals.set('send', send);
  answer = python.runPython(START);
  python.globals.delete('send');
}

const started = start().then(
  () => postMessage({ state: 'ready' }),
  error => {
    postMessage({ state: 'failed', problem: `${error.message ?? error}` });
    throw error;
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
