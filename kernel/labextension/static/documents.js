// Where an editor is: in a cell of which notebook or console, with which kernel.

const IMPLEMENTATION = 'puppet-repl';
// Not 'unknown' and 'starting', which JupyterLab may call a kernel that has died and was started
// anew until a cell is run.
const ABSENT = ['dead', 'restarting', 'autorestarting', 'terminating'];

/** The open notebooks and consoles; `kernelHasCome` is called when one can be asked (again). */
export class Documents {
  constructor(kernelHasCome) {
    this._kernelHasCome = kernelHasCome;
    this._notebooks = null;
    this._consoles = null;
    this._sequence = 0;
  }

  /** Take the trackers of JupyterLab, those that there are. */
  connect(notebooks, consoles) {
    this._notebooks = notebooks;
    this._consoles = consoles;
    for (const tracker of [notebooks, consoles]) {
      tracker?.forEach(panel => this._watch(panel.sessionContext));
      tracker?.widgetAdded.connect((_, panel) => this._watch(panel.sessionContext));
    }
  }

  /**
   * Return the problems that the kernel sees in an editor; none where the kernel cannot tell, null
   * while there is none.
   */
  async problems(view) {
    const place = this._inNotebook(view) ?? this._inConsole(view);
    const kernel = kernelThere(place?.context);
    if (!kernel) {
      return null;
    }
    const asked = { code: view.state.doc.toString(), cells: place.cells };
    const answer = await this._ask(kernel, 'check', asked);
    return answer?.body?.problems ?? [];
  }

  /** Return what the kernel of a notebook makes of a cell: `code` and `cursor`, or a `problem`. */
  async formatted({ sessionContext }, code, cursor) {
    const kernel = kernelThere(sessionContext);
    if (!kernel) {
      return { message: 'no kernel is running' };
    }
    try {
      const answer = await this._ask(kernel, 'format', { code, cursor });
      return answer?.success ? answer.body : { message: answer?.message };
    } catch {
      return {}; // it has gone
    }
  }

  /** Return what the kernel of a notebook says about machines, null where it says nothing. */
  async machines({ sessionContext }) {
    const kernel = kernelThere(sessionContext);
    try {
      const answer = kernel && (await this._ask(kernel, 'machines', {}));
      return answer?.success ? answer.body : null;
    } catch {
      return null; // it has gone
    }
  }

  /** Ask a kernel; null if it is not ours. */
  async _ask(kernel, command, asked) {
    if ((await kernel.info).implementation !== IMPLEMENTATION) {
      return null;
    }
    this._sequence += 1;
    const request = { type: 'request', seq: this._sequence, command, arguments: asked };
    return (await kernel.requestDebug(request).done).content;
  }

  /** Tell when the kernel of a document comes: it starts, restarts, or is connected again. */
  _watch(context) {
    let last = null;
    const look = () => {
      const kernel = kernelThere(context);
      const hasCome = kernel && kernel !== last;
      last = kernel;
      if (hasCome) {
        this._kernelHasCome();
      }
    };
    context.kernelChanged.connect(look);
    context.statusChanged.connect(look);
    context.connectionStatusChanged.connect(look);
    look();
  }

  _inNotebook(view) {
    let cells = [];
    const panel = this._notebooks?.find(({ content }) => {
      const index = content.widgets.findIndex(cell => cell.editor?.editor === view);
      cells = content.widgets.slice(0, Math.max(index, 0));
      return index >= 0;
    });
    return (
      panel && {
        context: panel.sessionContext,
        cells: cells
          .filter(({ model }) => model.type === 'code')
          .map(({ model }) => model.sharedModel.getSource())
      }
    );
  }

  /** What was entered in a console before has been run: the session knows it. */
  _inConsole(view) {
    const panel = this._consoles?.find(
      ({ console: { promptCell } }) => promptCell?.editor?.editor === view
    );
    return panel && { context: panel.sessionContext, cells: [] };
  }
}

/** Return the kernel of a document that can be asked, null while there is none. */
function kernelThere(context) {
  const kernel = context?.session?.kernel;
  const isThere = kernel?.connectionStatus === 'connected' && !ABSENT.includes(kernel.status);
  return isThere ? kernel : null;
}
