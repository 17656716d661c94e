// Errors while typing: what the kernel finds in a cell is underlined, and told by a tooltip.

// Milliseconds from the last key to the question.
const PAUSE = 300;
// Milliseconds after which a question counts as lost: its reply has not come, or the kernel has gone.
const PATIENCE = 10000;
// How often the same text is asked about, while questions are lost.
const ATTEMPTS = 3;

/**
 * Return the extension of an editor that marks the problems which `find` says that it has; null
 * stands for a kernel that cannot be asked now.
 */
export function marking({ state, view }, find, register) {
  const { StateEffect, StateField } = state;
  const { Decoration, EditorView, ViewPlugin, hoverTooltip } = view;
  const found = StateEffect.define();

  const marks = StateField.define({
    create: () => Decoration.none,
    update(value, transaction) {
      const { effects, changes, newDoc } = transaction;
      const problems = effects.findLast(effect => effect.is(found))?.value;
      return problems ? decorations(Decoration, problems, newDoc.length) : value.map(changes);
    },
    provide: field => EditorView.decorations.from(field)
  });

  const checker = ViewPlugin.define(editor => {
    const show = problems => editor.dispatch({ effects: found.of(problems) });
    const shown = () => editor.state.field(marks);
    return new Checker(editor, { find, show, shown, register });
  });

  return [marks, checker, hoverTooltip((editor, at) => tooltip(editor.state.field(marks), at))];
}

/** Asks about the text of one editor: a while after it has changed, one question at a time. */
class Checker {
  constructor(editor, { find, show, shown, register }) {
    this._editor = editor;
    this._find = find;
    this._show = show;
    this._shown = shown;
    this._timer = null;
    // Ends the question that is under way.
    this._giveUp = null;
    // Whether the text was asked about without a reply, and how often.
    this._isOpen = false;
    this._attempts = 0;
    this._isDestroyed = false;
    this._unregister = register(this);
    // A cell gets its language from the kernel: who types before does so without a checker.
    if (editor.hasFocus) {
      this._wait();
    }
  }

  update({ docChanged, focusChanged }) {
    if (docChanged || (focusChanged && this._editor.hasFocus)) {
      this._attempts = 0;
      this._wait();
    }
  }

  destroy() {
    this._isDestroyed = true;
    clearTimeout(this._timer);
    this._unregister();
  }

  /** Ask again after a cell has run: names that were marked may be known now. */
  cellHasRun() {
    if (this._shown().size) {
      this._wait();
    }
  }

  /** Ask again after a kernel has come (back): what was asked may be lost, and names forgotten. */
  kernelHasCome() {
    if (this._giveUp || this._isOpen || this._shown().size) {
      this._attempts = 0;
      this._giveUp?.();
      this._wait();
    }
  }

  _wait() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this._check(), PAUSE);
  }

  async _check() {
    if (this._giveUp) {
      this._wait();
      return;
    }
    const { doc } = this._editor.state;
    const givenUp = new Promise((_, reject) => (this._giveUp = reject));
    const timer = setTimeout(this._giveUp, PATIENCE);
    this._attempts += 1;
    let problems = null;
    let isLost = false;
    try {
      problems = await Promise.race([this._find(this._editor), givenUp]);
    } catch {
      isLost = true;
    }
    clearTimeout(timer);
    this._giveUp = null;
    this._isOpen = problems === null;
    if (this._isDestroyed) {
      return;
    }
    if (isLost && this._attempts < ATTEMPTS) {
      this._wait();
    } else if (problems && doc.eq(this._editor.state.doc)) {
      this._show(problems);
    }
  }
}

function decorations(Decoration, problems, length) {
  const ranges = problems
    .filter(({ start, end }) => start < end && end <= length)
    .map(problem =>
      Decoration.mark({ class: `puppet-repl-mark puppet-repl-${problem.severity}`, problem })
        .range(problem.start, problem.end)
    );
  return Decoration.set(ranges, true);
}

/** Return the tooltip of the marks at a position, null without one. */
function tooltip(marks, at) {
  const found = [];
  marks.between(at, at, (from, to, { spec }) => void found.push({ from, to, ...spec.problem }));
  if (!found.length) {
    return null;
  }
  return {
    pos: Math.min(...found.map(({ from }) => from)),
    end: Math.max(...found.map(({ to }) => to)),
    above: true,
    create: () => ({ dom: explanation(found) })
  };
}

function explanation(problems) {
  const dom = element('div', 'puppet-repl-problems');
  for (const { severity, message, hint } of problems) {
    const problem = dom.appendChild(element('div', `puppet-repl-problem-${severity}`, message));
    if (hint) {
      problem.appendChild(element('div', 'puppet-repl-hint', `hint: ${hint}`));
    }
  }
  return dom;
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
