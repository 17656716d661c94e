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
    this._watched = new WeakSet();
  }

  /** Take the trackers of JupyterLab, those that there are. */
  connect(notebooks, consoles) {
    this._notebooks = notebooks;
    this._consoles = consoles;
  }

  /**
   * Return the problems that the kernel sees in an editor; none without a kernel that can tell,
   * null while there is none.
   */
  async problems(view) {
    const place = this._inNotebook(view) ?? this._inConsole(view);
    const kernel = place?.kernel;
    if (!kernel) {
      return [];
    }
    this._watch(kernel);
    if (!isThere(kernel)) {
      return null;
    }
    if ((await kernel.info).implementation !== IMPLEMENTATION) {
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

  /** Tell when a kernel comes back that starts, restarts or has lost its connection. */
  _watch(kernel) {
    if (this._watched.has(kernel)) {
      return;
    }
    this._watched.add(kernel);
    let wasThere = isThere(kernel);
    const look = () => {
      const hasCome = !wasThere && isThere(kernel);
      wasThere = isThere(kernel);
      if (hasCome) {
        this._kernelHasCome();
      }
    };
    kernel.statusChanged.connect(look);
    kernel.connectionStatusChanged.connect(look);
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

/** Tell whether a kernel can be asked. */
function isThere(kernel) {
  return kernel.connectionStatus === 'connected' && !ABSENT.includes(kernel.status);
}
