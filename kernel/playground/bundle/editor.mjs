// The editors of the page: that of the program, and the prompt.

import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
  moveCompletionSelection
} from '@codemirror/autocomplete';
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentMore,
  isolateHistory
} from '@codemirror/commands';
import {
  IndentContext,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  getIndentation,
  indentOnInput,
  indentString
} from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Prec } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips
} from '@codemirror/view';
import { commonEnds } from '../../labextension/static/formatting.js';
import { completion, helpAtCursor, hovering } from './help.mjs';
import { cells } from './language.mjs';
import { rangeOf } from './positions.mjs';

export { problemText } from '../../labextension/static/formatting.js';
export { highlighted } from './language.mjs';

// Takes the selected completion; where none is, the first one is selected.
const TAB = {
  key: 'Tab',
  run: view =>
    acceptCompletion(view) ||
    (completionStatus(view.state) === 'active' && moveCompletionSelection(true)(view)) ||
    indentMore(view)
};

// Brackets close by themselves: after `file { '/x':` there is one behind the cursor.
const ENTER = { key: 'Enter', run: openBlock };

/** Begin a line before the closing bracket behind the cursor, and put that on one of its own. */
function openBlock({ state, dispatch }) {
  const { from, empty } = state.selection.main;
  const line = state.doc.lineAt(from);
  const isBeforeBracket = /^\s*[)\]}]/.test(line.text.slice(from - line.from));
  if (!empty || !isBeforeBracket || !line.text.slice(0, from - line.from).trim()) {
    return false;
  }
  const context = new IndentContext(state, { simulateBreak: from, simulateDoubleBreak: true });
  const inner = getIndentation(context, from) ?? 0;
  const [outer] = /^\s*/.exec(line.text);
  const insert = `\n${indentString(state, inner)}`;
  dispatch({
    changes: { from, insert: `${insert}\n${outer}` },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input'
  });
  return true;
}

/**
 * An editor within `parent`. `ask(request)` resolves to a reply of the session, or to null where
 * it cannot be asked; `changed()` is called when the text is edited by hand.
 */
class Editor {
  constructor(parent, { label, text = '', ask, changed = () => {}, keys, extensions, isPrompt }) {
    this._checkers = new Set();
    const register = checker => {
      this._checkers.add(checker);
      return () => this._checkers.delete(checker);
    };
    const find = async view => {
      const reply = await ask({ type: 'check', code: view.state.doc.toString(), cells: [] });
      return reply?.problems ?? null;
    };
    const help = helpAtCursor(ask);
    this.view = new EditorView({
      parent,
      doc: text,
      extensions: [
        extensions,
        history(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        completion(ask, isPrompt),
        hovering(ask),
        help.extension,
        cells(find, register),
        EditorView.lineWrapping,
        // Beside the panes, which would cut them off.
        tooltips({ parent: parent.closest('main') }),
        EditorView.contentAttributes.of({
          ...{ 'aria-label': label, spellcheck: 'false' },
          // It is what makes the editor around it scroll by keyboard.
          tabindex: '0'
        }),
        EditorView.updateListener.of(update => {
          if (update.transactions.some(each => each.docChanged && each.isUserEvent('input'))) {
            changed();
          }
        }),
        Prec.highest(keymap.of(keys)),
        Prec.high(keymap.of(help.keys)),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          TAB,
          ENTER,
          ...defaultKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...searchKeymap,
          ...lintKeymap
        ])
      ]
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    const { view } = this;
    const changes = { from: 0, to: view.state.doc.length, insert: text };
    const anchor = view.state.changes(changes).newLength;
    view.dispatch({ changes, selection: { anchor } });
  }

  focus() {
    this.view.focus();
  }

  /** Ask what is wrong with the text, as the session has changed. */
  check() {
    this._checkers.forEach(checker => {
      checker.kernelHasCome();
      checker.cellHasRun();
    });
  }
}

/** The editor of the program; `run()` and `format()` are called by its keys. */
export class ProgramEditor extends Editor {
  constructor(parent, { run, format, ...options }) {
    const go = { run: () => (run(), true), preventDefault: true };
    super(parent, {
      ...options,
      isPrompt: false,
      keys: [
        { key: 'Mod-Enter', ...go },
        { key: 'Shift-Enter', ...go },
        { key: 'Shift-Alt-f', run: () => (format(), true), preventDefault: true }
      ],
      extensions: [
        lineNumbers(),
        lintGutter(),
        codeFolding(),
        foldGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches()
      ]
    });
  }

  set text(text) {
    super.text = text;
    this.view.dispatch({ selection: { anchor: 0 }, scrollIntoView: true });
  }

  get text() {
    return super.text;
  }

  /** The place of the cursor. */
  get cursor() {
    return this.view.state.selection.main.head;
  }

  /** Replace the text by its form, in which the cursor is at a place: one step of undoing. */
  reform(text, cursor) {
    const before = this.text;
    const [from, end] = commonEnds(before, text);
    this.view.dispatch({
      changes: { from, to: before.length - end, insert: text.slice(from, text.length - end) },
      selection: { anchor: cursor },
      scrollIntoView: true,
      annotations: isolateHistory.of('full')
    });
  }

  /** Mark the place of an error, and show it. */
  showError(message, place) {
    const { state } = this.view;
    const { from, to } = rangeOf(state.doc, place);
    this.view.dispatch(setDiagnostics(state, [{ from, to, severity: 'error', message }]), {
      effects: EditorView.scrollIntoView(from)
    });
  }

  /** Remove the mark of an error. */
  clearError() {
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }
}

/**
 * The prompt. `enter(text)` is called by Enter with an input that is complete; `earlier(step, text)`
 * returns the one before or after the shown one, null for none.
 */
export class Prompt extends Editor {
  constructor(parent, { enter, earlier, ...options }) {
    super(parent, {
      ...options,
      isPrompt: true,
      keys: [
        { key: 'Enter', run: view => this._enter(view, enter, options.ask) },
        { key: 'Mod-Enter', run: view => this._run(view, enter) },
        { key: 'ArrowUp', run: view => this._recall(view, earlier, -1) },
        { key: 'ArrowDown', run: view => this._recall(view, earlier, 1) }
      ],
      extensions: []
    });
  }

  _enter(view, enter, ask) {
    const { state } = view;
    const code = this.text;
    ask({ type: 'is_complete', code }).then(reply => {
      if (!view.state.doc.eq(state.doc)) {
        return;
      }
      if (reply?.status === 'incomplete') {
        view.dispatch(view.state.replaceSelection(`\n${reply.indent}`), { userEvent: 'input' });
      } else {
        this._run(view, enter);
      }
    });
    return true;
  }

  _run(view, enter) {
    const { text } = this;
    if (text.trim() && enter(text)) {
      this.text = '';
    }
    return true;
  }

  /** Replace the text by an earlier input, where the cursor cannot move further within it. */
  _recall(view, earlier, step) {
    const { doc, selection } = view.state;
    const line = doc.lineAt(selection.main.head).number;
    const isAtEdge = step < 0 ? line === 1 : line === doc.lines;
    if (!isAtEdge || !selection.main.empty) {
      return false;
    }
    const text = earlier(step, this.text);
    if (text !== null) {
      this.text = text;
    }
    return text !== null;
  }
}
