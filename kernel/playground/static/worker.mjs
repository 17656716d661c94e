// The worker of a page: Python with the engine, which answers requests in JSON.
//
// From the page come { id, request }. To the page go { state: 'loading', bytes }, how much has come so
// far, and { state: 'ready' } or { state: 'failed', problem } after the start; then for each request any number of { id, message } and one { id, reply }, or
// { id, fatal } when Python has come to its end and the worker with it.

import { ARCHIVE, startEngine } from './engine.mjs';
import { loadPyodide } from './pyodide/pyodide.mjs';

const ENGINE = new URL(ARCHIVE, import.meta.url);
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

async function start() {
  countBytes();
  const archive = fetch(ENGINE).then(response => {
    if (!response.ok) {
      throw new Error(`${ENGINE} cannot be loaded: ${response.status} ${response.statusText}`);
    }
    return response.arrayBuffer();
  });
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
