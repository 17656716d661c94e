// The worker of a page: Python with the engine, which answers requests in JSON.
//
// From the page come { id, request }. To the page go { state: 'ready' } or { state: 'failed', problem }
// after the start; then for each request any number of { id, message } and one { id, reply }, or
// { id, fatal } when Python has come to its end and the worker with it.

import { startEngine } from './engine.mjs';
import { loadPyodide } from './pyodide/pyodide.mjs';

const ARCHIVE = new URL('engine.zip', import.meta.url);
const PYODIDE = new URL('pyodide/', import.meta.url);
const START = `
from puppet_kernel.worker import Worker
Worker(send).answer
`;

let answer;
// Which request runs.
let current;

const send = text => postMessage({ id: current, message: JSON.parse(text) });

async function start() {
  const archive = fetch(ARCHIVE).then(response => {
    if (!response.ok) {
      throw new Error(`${ARCHIVE} cannot be loaded: ${response.status} ${response.statusText}`);
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
