// A session of Puppet for a page: its worker, which is started when it is first asked, ended to stop
// what runs, and started again with what it had run before.

// Written by playground.site, here, in worker.mjs and in sw.js: a client and its worker are of one.
const RELEASE = '';
const WORKER = new URL(`worker.mjs?release=${RELEASE}`, import.meta.url);
const KEEPER = new URL('sw.js', import.meta.url);
const INTERRUPTED = refused('Interrupted', 'Interrupted');
// What waits for a worker that is ended before it is ready.
const ENDED = new Error('The worker was ended.');

/**
 * One session. `state` is one of
 *   'absent'     nothing is loaded yet
 *   'starting'   Python is on its way
 *   'restoring'  the cells of a worker that was ended are run again
 *   'idle', 'busy'
 *   'failed'     the worker could not be started: `problem` says why; the next request tries again
 * and `watch(state)` is called when it changes. `progress(bytes)` is called while files are loaded.
 * `prepare` returns the requests that each worker gets before all others, or a promise of them.
 */
export class Session {
  constructor(watch = () => {}, progress = () => {}, prepare = () => []) {
    this.state = 'absent';
    this.problem = null;
    this._watch = watch;
    this._progress = progress;
    this._prepare = prepare;
    this._worker = null;
    this._started = null;
    this._giveUp = null;
    this._waiting = new Map();
    this._sequence = 0;
    this._facts = null;
    // The cells that have got a reply, as pairs of their number and text.
    this._cells = [];
    this._count = 0;
  }

  /**
   * Run a cell: `show({ type, content })` gets its messages. Resolve to the reply. One that is not
   * stored leaves no result behind, and is not run again in another worker.
   */
  execute(code, show = () => {}, { store = true } = {}) {
    return this.request({ type: 'execute', code, store_history: store }, show);
  }

  /**
   * Ask for anything that puppet_kernel.worker answers. Resolve to the reply; its `status` is
   * 'aborted' when the worker was ended before.
   */
  async request(content, show = () => {}) {
    try {
      await this._ready();
    } catch (error) {
      return error === ENDED
        ? { status: 'aborted' }
        : { status: 'error', ...refused('WorkerError', error.message) };
    }
    return this._ask(content, show);
  }

  /** Load Python and the engine, unless that has been done. */
  start() {
    this._started ??= this._start();
    return this._started;
  }

  /** End what runs. What the session had before is there again when this resolves. */
  async stop() {
    if (this._worker !== null) {
      await this._restart(INTERRUPTED);
    }
  }

  /** Forget all that was run, and take the facts of a bundled set. Python stays, unless it is busy. */
  async reset(facts = this._facts) {
    this._facts = facts;
    this._cells = [];
    this._count = 0;
    if (this.state === 'busy') {
      await this.stop();
    } else if (this._worker !== null) {
      await this._ready();
      await this._ask(this._beginning());
    }
  }

  /** End the worker for good. */
  close() {
    this._end(INTERRUPTED);
    this._become('absent');
  }

  /** Wait for a worker that has not been ended when this resolves. */
  async _ready() {
    for (;;) {
      const started = this.start();
      try {
        await started;
      } catch (error) {
        if (error !== ENDED || this._started === null) {
          throw error;
        }
      }
      if (started === this._started) {
        return;
      }
    }
  }

  async _start() {
    this._become('starting');
    const worker = new Worker(WORKER, { type: 'module' });
    this._worker = worker;
    let preparations;
    try {
      [preparations] = await Promise.all([this._prepare(), this._load(worker)]);
    } catch (error) {
      if (error !== ENDED) {
        this._end(refused('WorkerError', error.message));
        this.problem = error.message;
        this._become('failed');
      }
      throw error;
    }
    keepFiles();
    if (this._cells.length || this._count) {
      this._become('restoring');
    }
    for (const request of [...preparations, ...this._earlier()]) {
      await this._ask(request);
      if (worker !== this._worker) {
        throw ENDED;
      }
    }
    this._become('idle');
  }

  /** Yield the requests by which another worker gets what this session had. */
  *_earlier() {
    if (this._facts !== null) {
      yield this._beginning();
    }
    if (this._cells.length || this._count) {
      yield { type: 'restore', cells: this._cells, count: this._count };
    }
  }

  _beginning() {
    return this._facts === null ? { type: 'reset' } : { type: 'reset', facts: this._facts };
  }

  _load(worker) {
    return new Promise((resolve, reject) => {
      this._giveUp = () => reject(ENDED);
      worker.onerror = event => reject(new Error(event.message || `${WORKER} cannot be loaded`));
      worker.onmessage = ({ data }) => {
        if (data.state === 'ready') {
          resolve();
        } else if (data.state === 'failed') {
          reject(new Error(data.problem));
        } else if (data.state === 'loading') {
          this._progress(data.bytes);
        } else if (worker === this._worker) {
          this._receive(data);
        }
      };
    });
  }

  _ask(request, show = () => {}) {
    if (this._worker === null) {
      return Promise.resolve({ status: 'aborted' });
    }
    const id = ++this._sequence;
    return new Promise(resolve => {
      this._waiting.set(id, { request, resolve, show });
      if (request.type === 'execute') {
        this._become('busy');
      }
      this._worker.postMessage({ id, request });
    });
  }

  _receive({ id, message, reply, fatal }) {
    const waiting = this._waiting.get(id);
    if (message !== undefined) {
      waiting.show(message);
    } else if (reply !== undefined) {
      this._waiting.delete(id);
      if (isCell(waiting)) {
        this._keep(waiting.request, reply);
        if (![...this._waiting.values()].some(isCell)) {
          this._become('idle');
        }
      }
      waiting.resolve(reply);
    } else {
      this._restart(refused('WorkerError', `Python has ended: ${fatal}`)).catch(() => {});
    }
  }

  /** Remember a cell for the next worker. */
  _keep({ code, store_history: isStored }, { execution_count: count }) {
    if (isStored && count !== undefined) {
      this._count = count;
      this._cells.push([count, code]);
    }
  }

  async _restart(end) {
    this._end(end);
    await this._ready();
  }

  /** End the worker: the running cell ends with the error, what waits behind it is aborted. */
  _end(error) {
    this._worker?.terminate();
    this._worker = null;
    this._started = null;
    this._giveUp?.();
    this._giveUp = null;
    const waiting = [...this._waiting.values()];
    this._waiting.clear();
    const running = waiting.find(isCell);
    for (const each of waiting) {
      if (each === running) {
        this._count += each.request.store_history ? 1 : 0;
        each.show({ type: 'error', content: error });
        each.resolve({ status: 'error', execution_count: this._count, ...error });
      } else {
        each.resolve({ status: 'aborted' });
      }
    }
  }

  _become(state) {
    if (state !== this.state) {
      this.state = state;
      this._watch(state);
    }
  }
}

function isCell({ request }) {
  return request.type === 'execute';
}

function refused(ename, evalue) {
  return { ename, evalue, traceback: [evalue] };
}

/** Keep what was loaded for times without a network. A browser that refuses that needs one again. */
function keepFiles() {
  try {
    navigator.serviceWorker?.register(KEEPER).catch(() => {});
  } catch {
    // The page is in a frame that may keep nothing.
  }
}
