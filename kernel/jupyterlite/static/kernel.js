// The kernel: requests of the Jupyter protocol, answered by the session of a worker.

// What the labextension asks, as requests of the debugger.
const OF_NOTEBOOKS = ['check', 'format', 'machines'];
// How the base class sends the messages of a cell.
const SENT_BY = {
  stream: 'stream',
  display_data: 'displayData',
  update_display_data: 'updateDisplayData',
  execute_result: 'publishExecuteResult',
  error: 'publishExecuteError',
  clear_output: 'clearOutput'
};

/** Return the class of the kernel, made with what JupyterLite and JupyterLab share. */
export function makeKernel(BaseKernel, KernelMessage) {
  return class extends BaseKernel {
    constructor(options, session) {
      super({ ...options, sendMessage: message => this._send(message) });
      this._session = session;
      this._sendOn = options.sendMessage;
      // Whether the cells behind the running one are to be run even if it fails.
      this._goesOn = false;
      // The identifiers of the cells that have run.
      this._ran = new Set();
    }

    /** Answer the debug requests of the labextension too, of which the base class knows nothing. */
    async handleMessage(message) {
      if (message.header.msg_type === 'debug_request') {
        await this._debug(message);
        return;
      }
      if (message.content.silent) {
        message.content.store_history = false; // which a silent cell implies, and the base class counts
      } else if (message.metadata.cellId) {
        this._ran.add(message.metadata.cellId);
      }
      await super.handleMessage(message);
    }

    kernelInfoRequest() {
      return this._ask({ type: 'info' });
    }

    async executeRequest(content) {
      const { code, silent, store_history: store, user_expressions, stop_on_error: stops } = content;
      const request = {
        type: 'execute',
        code,
        store_history: store !== false,
        is_kept: silent === true,
        ...(user_expressions ? { user_expressions } : {})
      };
      const show = silent ? () => {} : message => this._show(message);
      this._goesOn = stops === false;
      const reply = await this._ask(request, show);
      if (reply.execution_count !== undefined) {
        return reply;
      }
      // There is no worker that could have run it.
      if (reply.status === 'error') {
        const { ename, evalue } = reply;
        const text = ename === 'WorkerError' ? `Puppet cannot be started: ${evalue}` : evalue;
        show({ type: 'error', content: { ename, evalue, traceback: [text] } });
      }
      return { ...reply, execution_count: this.executionCount };
    }

    completeRequest({ code, cursor_pos }) {
      return this._ask({ type: 'complete', code, cursor_pos });
    }

    inspectRequest({ code, cursor_pos }) {
      return this._ask({ type: 'inspect', code, cursor_pos });
    }

    isCompleteRequest({ code }) {
      return this._ask({ type: 'is_complete', code });
    }

    // The kernel asks for no input and has no comms.
    inputReply() {}
    async commOpen() {}
    async commMsg() {}
    async commClose() {}

    /** Stop the cell that runs; what it had before is restored. */
    async interrupt() {
      if (this._session.state === 'busy') {
        await this._session.stop();
      }
    }

    dispose() {
      if (!this.isDisposed) {
        this._session.close();
        super.dispose();
      }
    }

    /** Ask the session, but not of a kernel that has ended: nothing would end the new worker. */
    _ask(request, show) {
      return this.isDisposed
        ? Promise.resolve({ status: 'aborted' })
        : this._session.request(request, show);
    }

    _show({ type, content }) {
      this[SENT_BY[type]](content);
    }

    /**
     * Send a message on. After any cell that fails JupyterLite drops those that wait, but for one
     * that it takes for interrupted; in JupyterLab those behind a cell with the tag raises-exception
     * are run.
     */
    _send(message) {
      if (this._goesOn && message.header.msg_type === 'execute_reply') {
        message.metadata.cause = 'interrupt';
      }
      this._sendOn(message);
    }

    async _debug({ header, content: { seq, command, arguments: asked } }) {
      const answer = OF_NOTEBOOKS.includes(command)
        ? await this._ask({ ...asked, type: command })
        : { status: 'error', evalue: `there is no debugger in a browser: ${command}` };
      const success = answer.status === undefined;
      if (success && command === 'machines') {
        answer.ran = [...this._ran];
      }
      const reply = {
        type: 'response',
        seq,
        request_seq: seq,
        command,
        success,
        ...(success ? { body: answer } : { message: answer.evalue ?? answer.status })
      };
      this._answer(header, 'debug_reply', 'control', reply);
      // The request ends with this.
      this._answer(header, 'status', 'iopub', { execution_state: 'idle' });
    }

    _answer(parentHeader, msgType, channel, content) {
      const { session } = parentHeader;
      this._send(KernelMessage.createMessage({ msgType, channel, session, parentHeader, content }));
    }
  };
}
