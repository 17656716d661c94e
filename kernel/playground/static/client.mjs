// A session of Puppet for a page: its worker, which is started when it is first asked, ended to stop
// what runs, and started again with what it had run before.

// Written by playground.site, here, in worker.mjs and in sw.js: a client and its worker are of one.
const RELEASE = '';
const WORKER = new URL(`worker.mjs?release=${RELEASE}`, import.meta.url);
const KEEPER = new URL('sw.js', import.meta.url);
// The name of the error of a cell that has exhausted the memory.
const NO_MEMORY = 'NO_MEMORY';
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
    // How often what waits for a worker has been told not to wait any longer.
    this._stops = 0;
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
   * 'aborted' when the session was stopped, or its worker ended, before. A cell that is not stored
   * is run again in another worker if it `is_kept`.
   */
  async request(content, show = () => {}) {
    const stops = this._stops;
    try {
      await this._ready();
    } catch (error) {
      return error === ENDED
        ? { status: 'aborted' }
        : { status: 'error', ...refused('WorkerError', error.message) };
    }
    return stops === this._stops ? this._ask(content, show) : { status: 'aborted' };
  }

  /** Load Python and the engine, unless that has been done. */
  start() {
    this._started ??= this._start();
    return this._started;
  }

  /** End what runs and what waits. What the session had before is there again when this resolves. */
  async stop() {
    this._stops += 1;
    if (this._worker !== null) {
      await this._restart(INTERRUPTED);
    }
  }

  /**
   * Forget all that was run or waits, and take the facts of a bundled set. Python stays, unless it
   * is busy. Resolve to a reply, as a request does.
   */
  async reset(facts = this._facts) {
    const wasLoaded = this._worker !== null;
    this._stops += 1;
    if (this.state === 'busy') {
      this._end(INTERRUPTED);
    }
    this._facts = facts;
    this._cells = [];
    this._count = 0;
    return wasLoaded ? this.request(this._beginning()) : { status: 'ok' };
  }

  /** End the worker; the next request starts another. */
  close() {
    this._stops += 1;
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
    try {
      const [preparations] = await Promise.all([this._prepare(), this._load(worker)]);
      this._checkIsCurrent(worker);
      keepFiles();
      await this._bring(worker, preparations);
    } catch (error) {
      // Another worker may be there by now.
      this._checkIsCurrent(worker);
      this._end(refused('WorkerError', error.message));
      this.problem = error.message;
      this._become('failed');
      throw error;
    }
    this._become('idle');
  }

  /** Bring a new worker to where this session is. */
  async _bring(worker, preparations) {
    if (this._cells.length || this._count) {
      this._become('restoring');
    }
    for (const request of [...preparations, ...this._earlier()]) {
      const reply = await this._ask(request);
      this._checkIsCurrent(worker);
      if (reply.status !== 'ok') {
        throw new Error(reply.evalue);
      }
    }
  }

  _checkIsCurrent(worker) {
    if (worker !== this._worker) {
      throw ENDED;
    }
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
        } else if (data.state === 'outdated') {
          refresh().then(() => reject(new Error(data.problem)));
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
      if (isCell(waiting) && reply.ename === NO_MEMORY) {
        this._replace(reply);
      } else if (isCell(waiting)) {
        this._keep(waiting.request, reply);
        if (![...this._waiting.values()].some(isCell)) {
          this._become('idle');
        }
      }
      waiting.resolve(reply);
    } else {
      this._hasEnded(waiting, refused('WorkerError', `Python has ended: ${fatal}`));
    }
  }

  /** Start Python again, unless it ended while it started: it would do so again. */
  _hasEnded(waiting, error) {
    if (this.state === 'starting' || this.state === 'restoring') {
      waiting.resolve({ status: 'error', ...error });
    } else {
      this._restart(error).catch(() => {});
    }
  }

  /**
   * Take another worker after a cell that needed too much memory: WebAssembly gives none back. What
   * the session had before that cell is there again.
   */
  _replace({ execution_count: count }) {
    this._count = count ?? this._count;
    this._restart(null).catch(() => {});
  }

  /** Remember a cell for the next worker; 0 stands for the number of one that is not stored. */
  _keep({ code, store_history: isStored, is_kept: isKept }, { execution_count: count }) {
    if (isStored && count !== undefined) {
      this._count = count;
      this._cells.push([count, code]);
    } else if (isKept) {
      this._cells.push([0, code]);
    }
  }

  async _restart(end) {
    this._end(end);
    await this._ready();
  }

  /** End the worker: the running cell ends with the error, if there is one; what waits is aborted. */
  _end(error) {
    this._worker?.terminate();
    this._worker = null;
    this._started = null;
    this._giveUp?.();
    this._giveUp = null;
    const waiting = [...this._waiting.values()];
    this._waiting.clear();
    const running = error === null ? null : waiting.find(isCell);
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

/**
 * Fetch the files that the page has loaded from this directory anew. Where a host allows browsers to
 * use them for some time without asking, loading the page again would bring the same ones.
 */
async function refresh() {
  const directory = new URL('.', import.meta.url).href;
  const addresses = performance
    .getEntriesByType('resource')
    .map(entry => entry.name)
    .filter(address => address.startsWith(directory));
  await Promise.allSettled(
    addresses.map(async address => (await fetch(address, { cache: 'reload' })).arrayBuffer())
  );
}

/** Keep what was loaded for times without a network. A browser that refuses that needs one again. */
function keepFiles() {
  try {
    navigator.serviceWorker?.register(KEEPER).catch(() => {});
  } catch {
    // The page is in a frame that may keep nothing.
  }
}
