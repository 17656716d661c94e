// Where an editor is: in a cell of which notebook or console, with which kernel.

const IMPLEMENTATION = 'puppet-repl';
const ABSENT = ['unknown', 'dead', 'starting', 'restarting', 'autorestarting', 'terminating'];

/** The open notebooks and consoles. */
export class Documents {
  constructor() {
    this._notebooks = null;
    this._consoles = null;
    this._sequence = 0;
  }

  /** Take the trackers of JupyterLab, those that there are. */
  connect(notebooks, consoles) {
    this._notebooks = notebooks;
    this._consoles = consoles;
  }

  /** Return the problems that the kernel sees in an editor; none where no kernel can tell. */
  async problems(view) {
    const place = this._inNotebook(view) ?? this._inConsole(view);
    const kernel = place?.kernel;
    if (!(await isPuppet(kernel))) {
      return [];
    }
    this._sequence += 1;
    const reply = await kernel.requestDebug({
      type: 'request',
      seq: this._sequence,
      command: 'check',
      arguments: { code: view.state.doc.toString(), cells: place.cells }
    }).done;
    return reply.content.body?.problems ?? [];
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
        kernel: panel.sessionContext.session?.kernel,
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
    return panel && { kernel: panel.sessionContext.session?.kernel, cells: [] };
  }
}

/** Tell whether a kernel is this project's, and there to be asked. */
async function isPuppet(kernel) {
  const isThere = kernel?.connectionStatus === 'connected' && !ABSENT.includes(kernel.status);
  return isThere && (await kernel.info).implementation === IMPLEMENTATION;
}
