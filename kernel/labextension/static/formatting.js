// Formatting cells: commands of notebooks with this kernel, in the palette, menus and by a key.

const FORMAT_CELL = 'puppet-repl:format-cell';
const FORMAT_ALL = 'puppet-repl:format-all-cells';
const CATEGORY = 'Puppet';
const MIME = 'text/x-puppet-repl';
// Milliseconds for which it is told why a cell stays as it is.
const SHOWN = 10000;

/** Add the commands to JupyterLab. `format(panel, code, cursor)` resolves to the kernel's answer. */
export function addFormatting(app, { notebooks, palette, Notification, format }) {
  const { commands } = app;
  const isPuppet = () => notebooks.currentWidget?.content.codeMimetype === MIME;
  const run = async choose => {
    const panel = notebooks.currentWidget;
    if (!panel || !isPuppet()) {
      return;
    }
    const { content } = panel;
    const isChosen = cell =>
      cell.model.type === 'code' && !cell.readOnly && choose(content, cell);
    const chosen = content.widgets.filter(isChosen);
    const problems = [];
    for (const cell of chosen) {
      const problem = await formatCell(cell, (...asked) => format(panel, ...asked));
      if (problem !== null) {
        const name = chosen.length > 1 ? `cell ${content.widgets.indexOf(cell) + 1}: ` : '';
        problems.push(name + problem);
      }
    }
    if (problems.length) {
      Notification.warning(`Not formatted: ${problems.join('\n')}`, { autoClose: SHOWN });
    }
  };
  const add = (command, label, caption, execute) => {
    const options = { label, caption, execute, isEnabled: isPuppet, isVisible: isPuppet };
    commands.addCommand(command, options);
    palette?.addItem({ command, category: CATEGORY });
  };
  add(FORMAT_CELL, 'Format Cell', 'Bring the code of the selected cells into its form', args => {
    // JupyterLab need not have selected the cell that its menu was opened at.
    const pointed = args.isPointed && app.contextMenuHitTest(isCell);
    return run((notebook, cell) => {
      const at = notebook.widgets.find(({ node }) => node === pointed);
      const isOther = at && !notebook.isSelectedOrActive(at);
      return isOther ? cell === at : notebook.isSelectedOrActive(cell);
    });
  });
  add(FORMAT_ALL, 'Format All Cells', 'Bring the code of all cells into its form', () =>
    run(() => true)
  );
  app.contextMenu.addItem({
    command: FORMAT_CELL,
    args: { isPointed: true },
    selector: '.jp-Notebook .jp-CodeCell',
    rank: 2.5
  });
  commands.addKeyBinding({ command: FORMAT_CELL, keys: ['Alt Shift F'], selector: '.jp-Notebook' });
}

function isCell(node) {
  return node.classList.contains('jp-Cell');
}

/** Format a cell; resolve to why it stays as it is, null for nothing. */
async function formatCell(cell, format) {
  const { sharedModel } = cell.model;
  const view = cell.editor?.editor;
  const before = sharedModel.getSource();
  const answer = await format(before, view?.state.selection.main.head ?? 0);
  if (answer.code === undefined) {
    return problemText(answer);
  }
  // What is typed meanwhile is not lost.
  if (answer.code !== before && sharedModel.getSource() === before) {
    replace(sharedModel, before, answer.code);
    view?.dispatch({ selection: { anchor: answer.cursor }, scrollIntoView: view.hasFocus });
  }
  return null;
}

/** Replace what differs, as one step of undoing. */
function replace(sharedModel, before, after) {
  const { undoManager } = sharedModel;
  const [start, end] = commonEnds(before, after);
  undoManager?.stopCapturing();
  sharedModel.updateSource(start, before.length - end, after.slice(start, after.length - end));
  undoManager?.stopCapturing();
}

/** Return how many characters of two texts are the same at their beginnings, and at their ends. */
export function commonEnds(before, after) {
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && before[start] === after[start]) {
    start += 1;
  }
  let end = 0;
  while (end < length - start && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
  }
  return [start, end];
}

/** Return the text of an answer without code. */
export function problemText({ problem, message }) {
  if (!problem) {
    return message ?? 'the kernel does not answer';
  }
  const { line, column, hint } = problem;
  return `${problem.message} (line: ${line}, column: ${column})${hint ? `; hint: ${hint}` : ''}`;
}
