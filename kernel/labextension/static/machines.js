// The machine of a notebook: a button of the toolbar that shows it, with a menu to choose another.

const CHOOSE = 'puppet-repl:choose-machine';
const CATEGORY = 'Puppet';
const ITEM = 'puppetMachine';
// The command of a menu, which has a registry of its own.
const USE = 'use';
// Milliseconds from the end of a cell to the question which machine there is now.
const PAUSE = 200;
// Milliseconds for which a warning is shown.
const SHOWN = 10000;
// The name of the error of a cell that was interrupted.
const INTERRUPTED = 'Interrupted';
const BUSY = 'A cell is running. Choose the machine when it has ended, or interrupt it.';
const NO_LONGER_THERE = ['dead', 'restarting', 'autorestarting', 'terminating'];

/**
 * Add the button to the toolbar of notebooks, and a command that opens its menu. `ask(panel)`
 * resolves to what the kernel says about machines, null where it says nothing.
 */
export function addMachines(app, { notebooks, toolbars, palette, libraries, ask }) {
  const pickers = new WeakMap();
  toolbars.addFactory('Notebook', ITEM, panel => {
    const picker = new Picker(panel, libraries, () => ask(panel));
    pickers.set(panel, picker);
    return picker.widget;
  });
  const current = () => pickers.get(notebooks.currentWidget);
  const isShown = () => current()?.widget.isVisible ?? false;
  app.commands.addCommand(CHOOSE, {
    label: 'Choose Machine…',
    caption: 'Choose the facts or the node of the session, and run the cells again',
    execute: () => current()?.open(),
    isEnabled: isShown,
    isVisible: isShown
  });
  palette?.addItem({ command: CHOOSE, category: CATEGORY });
}

/** The button of one notebook. */
class Picker {
  constructor(panel, { apputils, commands, notebook, widgets }, ask) {
    this._panel = panel;
    this._notify = apputils.Notification;
    this._actions = notebook.NotebookActions;
    this._ask = ask;
    // What the kernel has said last.
    this._found = null;
    // Whether the kernel runs a cell, and whether a choice is under way.
    this._isBusy = false;
    this._isChoosing = false;
    // Counts the kernels: what was begun with one is not gone on with by the next.
    this._kernels = 0;
    this._button = makeButton(() => this.open());
    this.widget = new widgets.Widget({ node: this._button });
    this.widget.hide();
    this._menu = this._makeMenu(new commands.CommandRegistry(), widgets.Menu);
    this._follow(panel.sessionContext);
  }

  /** Open the menu, whose first item can be chosen by Enter at once. */
  async open() {
    // A browser's kernel answers nothing while a cell runs.
    if (!this._isFree()) {
      return;
    }
    await this._look();
    if (this.widget.isDisposed || !this._found) {
      return;
    }
    this._menu.clearItems();
    this._found.choices.forEach((group, index) => {
      if (index) {
        this._menu.addItem({ type: 'separator' });
      }
      group.forEach(args => this._menu.addItem({ command: USE, args }));
    });
    const { left, bottom } = this._button.getBoundingClientRect();
    this._button.setAttribute('aria-expanded', 'true');
    this._menu.open(left, bottom);
    this._menu.activateNextItem();
  }

  _makeMenu(registry, Menu) {
    registry.addCommand(USE, {
      label: ({ label }) => label,
      isToggled: args => args.is_current ?? false,
      execute: ({ command }) => this._choose(command)
    });
    const menu = new Menu({ commands: registry });
    menu.aboutToClose.connect(() => {
      this._button.setAttribute('aria-expanded', 'false');
      queueMicrotask(() => this._button.focus()); // the menu still has the focus
    });
    this.widget.disposed.connect(() => menu.dispose());
    return menu;
  }

  _follow(context) {
    let timer;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this._isBusy || this._look(), PAUSE);
    };
    const begin = () => {
      this._kernels += 1;
      this._isBusy = false;
      look();
    };
    context.kernelChanged.connect(() => {
      this.widget.hide();
      begin();
    });
    context.statusChanged.connect((_, status) => {
      if (NO_LONGER_THERE.includes(status)) {
        begin();
      } else if (this.widget.isHidden) {
        look();
      }
    });
    context.connectionStatusChanged.connect(look);
    context.iopubMessage.connect((_, { header, parent_header: parent, content }) => {
      if (header.msg_type === 'status' && parent.msg_type === 'execute_request') {
        this._isBusy = content.execution_state === 'busy';
        look();
      }
    });
    this.widget.disposed.connect(() => clearTimeout(timer));
    look();
  }

  /** Ask for the machines, and show the current one. */
  async _look() {
    const found = await this._ask();
    if (this.widget.isDisposed || !found) {
      return;
    }
    this._found = found;
    this._button.textContent = found.machine;
    this.widget.show();
  }

  /** Tell whether a machine can be chosen now, and the user why it cannot. */
  _isFree() {
    const isFree = !this._isBusy && !this._isChoosing;
    if (!isFree) {
      this._notify.warning(BUSY, { autoClose: SHOWN });
    }
    return isFree;
  }

  async _choose(command) {
    if (!this._isFree()) {
      return;
    }
    this._isChoosing = true;
    try {
      await this._take(command);
    } finally {
      this._isChoosing = false;
    }
  }

  /** Run the command of a machine, and after it the cells that have run. */
  async _take(command) {
    const before = this._found.machine;
    const kernels = this._kernels;
    const problem = await this._run(command);
    await this._look();
    const { machine, ran } = this._found;
    if (problem !== null) {
      this._notify.error(problem, { autoClose: false });
    }
    if (kernels !== this._kernels || (problem !== null && machine === before)) {
      return;
    }
    const hasEnded = await this._runAgain(new Set(ran), kernels);
    await this._look();
    if (hasEnded && this._found.machine !== machine) {
      const told = `A cell of the notebook chooses another machine: ${this._found.machine}`;
      this._notify.warning(told, { autoClose: SHOWN });
    }
  }

  /** Run a command as a silent cell; resolve to its error, null for none. */
  async _run(code) {
    const { kernel } = this._panel.sessionContext.session ?? {};
    if (!kernel) {
      return 'No kernel is running.';
    }
    try {
      const asked = { code, silent: true, stop_on_error: false };
      const { content } = await kernel.requestExecute(asked).done;
      return content.status === 'error' ? content.evalue : null;
    } catch {
      return 'The kernel has ended.';
    }
  }

  /**
   * Run cells in the order of the notebook, those too that are below one that fails, as it may have
   * failed before. Resolve to whether nothing has stopped it.
   */
  async _runAgain(ran, kernels) {
    const { content, sessionContext } = this._panel;
    const isWanted = ({ model }) => model.type === 'code' && ran.has(model.sharedModel.getId());
    for (const cell of content.widgets.filter(isWanted)) {
      if (!cell.isDisposed) {
        await this._actions.runCells(content, [cell], sessionContext);
      }
      if (kernels !== this._kernels || this.widget.isDisposed || wasInterrupted(cell)) {
        return false;
      }
    }
    return true;
  }
}

function makeButton(open) {
  const button = document.createElement('button');
  button.className = 'puppet-repl-machine';
  button.title = 'Machine: the facts and the node that cells run with; the cells run again when you choose others';
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', open);
  return button;
}

function wasInterrupted({ model }) {
  const outputs = model?.outputs?.toJSON() ?? [];
  return outputs.some(({ output_type: kind, ename }) => kind === 'error' && ename === INTERRUPTED);
}
