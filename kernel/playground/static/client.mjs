// A session of Puppet for a page: its worker, which is started when it is first asked, ended to stop
// what runs, and started again with what it had run before.

const WORKER = new URL('worker.mjs', import.meta.url);

/**
 * One session. `state` is one of
 *   'absent'     nothing is loaded yet
 *   'starting'   Python is on its way
 *   'restoring'  the cells of a worker that was ended are run again
 *   'idle', 'busy'
 *   'failed'     the worker could not be started: `problem` says why; the next request tries again
 * and `watch(state)` is called when it changes.
 */
export class Session {
  constructor(watch = () => {}) {
    this.state = 'absent';
    this.problem = null;
    this._watch = watch;
    this._worker = null;
    this._started = null;
    this._waiting = new Map();
    this._sequence = 0;
    // The cells that have got a reply, as pairs of their number and text.
    this._cells = [];
    this._count = 0;
  }

  /** Run a cell: `show({ type, content })` gets its messages. Resolve to the reply. */
  async execute(code, show = () => {}) {
    const reply = await this.request({ type: 'execute', code }, show);
    if (reply.execution_count !== undefined) {
      this._count = reply.execution_count;
      this._cells.push([this._count, code]);
    }
    return reply;
  }

  /**
   * Ask for anything that puppet_kernel.worker answers. Resolve to the reply; its `status` is
   * 'aborted' when the worker was ended before.
   */
  async request(content, show = () => {}) {
    try {
      await this.start();
    } catch (error) {
      return { status: 'error', ...refused('WorkerError', error.message) };
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
      await this._restart(refused('Interrupted', 'Interrupted'));
    }
  }

  /** Forget all that was run. */
  async reset() {
    this._cells = [];
    this._count = 0;
    await this.stop();
  }

  /** End the worker for good. */
  close() {
    this._end(refused('Interrupted', 'Interrupted'));
    this._become('absent');
  }

  async _start() {
    this._become('starting');
    try {
      await this._load();
    } catch (error) {
      this._end(refused('WorkerError', error.message));
      this.problem = error.message;
      this._become('failed');
      throw error;
    }
    if (this._cells.length || this._count) {
      this._become('restoring');
      await this._ask({ type: 'restore', cells: this._cells, count: this._count });
    }
    this._become('idle');
  }

  _load() {
    const worker = new Worker(WORKER, { type: 'module' });
    this._worker = worker;
    return new Promise((resolve, reject) => {
      worker.onerror = event => reject(new Error(event.message || `${WORKER} cannot be loaded`));
      worker.onmessage = ({ data }) => {
        if (data.state === 'ready') {
          resolve();
        } else if (data.state === 'failed') {
          reject(new Error(data.problem));
        } else if (worker === this._worker) {
          this._receive(data);
        }
      };
    });
  }

  _ask(request, show = () => {}) {
    const id = ++this._sequence;
    return new Promise(resolve => {
      this._waiting.set(id, { resolve, show, isCell: request.type === 'execute' });
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
      if (waiting.isCell && ![...this._waiting.values()].some(({ isCell }) => isCell)) {
        this._become('idle');
      }
      waiting.resolve(reply);
    } else {
      this._restart(refused('WorkerError', `Python has ended: ${fatal}`));
    }
  }

  async _restart(end) {
    this._end(end);
    await this.start();
  }

  /** End the worker: the running cell ends with the error, what waits behind it is aborted. */
  _end(error) {
    this._worker?.terminate();
    this._worker = null;
    this._started = null;
    const waiting = [...this._waiting.values()];
    this._waiting.clear();
    let isRunning = true;
    for (const { resolve, show, isCell } of waiting) {
      if (isCell && isRunning) {
        isRunning = false;
        this._count += 1;
        show({ type: 'error', content: error });
        resolve({ status: 'error', execution_count: this._count, ...error });
      } else {
        resolve({ status: 'aborted' });
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

function refused(ename, evalue) {
  return { ename, evalue, traceback: [evalue] };
}
