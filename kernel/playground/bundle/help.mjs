// Completion and documentation in an editor, from the session.

import { autocompletion, closeCompletion } from '@codemirror/autocomplete';
import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, hoverTooltip, showTooltip } from '@codemirror/view';
import { highlighted } from './language.mjs';
import { markdown } from './markup.mjs';
import { charactersAt, unitsAt } from './positions.mjs';

// What is typed where names are completed without being asked for.
const INVITING = /(?:\$[\w:]*|\w{2}|::|\.|\[['"]|^[ \t]*[:%][a-z]*)$/;

/**
 * Return the extension that completes; `ask(request)` resolves to a reply, or null for none. At a
 * prompt Enter is for the input, unless a completion has been selected.
 */
export function completion(ask, isPrompt) {
  const complete = async ({ state, pos, explicit, matchBefore }) => {
    const line = state.doc.lineAt(pos);
    if (!explicit && !INVITING.test(state.sliceDoc(line.from, pos))) {
      return null;
    }
    const code = state.doc.toString();
    const reply = await ask({ type: 'complete', code, cursor_pos: charactersAt(code, pos) });
    if (!reply?.matches?.length) {
      return null;
    }
    return {
      from: unitsAt(code, reply.cursor_start),
      to: unitsAt(code, reply.cursor_end),
      options: reply.metadata._jupyter_types_experimental.map(option),
      validFor: /^[$\w:]*$/
    };
  };
  return autocompletion({
    override: [complete],
    icons: false,
    selectOnOpen: !isPrompt,
    // The prompt is at the foot of the page.
    aboveCursor: isPrompt
  });
}

function option({ text, type, signature }, index) {
  return { label: text, detail: type, info: signature || undefined, boost: -index };
}

/** Return the element with the documentation of what is at an offset, null without one. */
async function documentation(ask, state, at) {
  const code = state.doc.toString();
  const reply = await ask({ type: 'inspect', code, cursor_pos: charactersAt(code, at) });
  if (!reply?.found) {
    return null;
  }
  const element = document.createElement('div');
  element.className = 'documentation';
  element.append(markdown(reply.data['text/markdown']));
  for (const code of element.querySelectorAll('pre > code')) {
    code.replaceChildren(highlighted(code.textContent));
  }
  return element;
}

/** Return the extension that shows documentation at the mouse. */
export function hovering(ask) {
  return hoverTooltip(
    async ({ state }, at) => {
      const word = state.wordAt(at);
      const dom = word && (await documentation(ask, state, word.to));
      return dom && { pos: word.from, end: word.to, above: true, create: () => ({ dom }) };
    },
    { hoverTime: 500 }
  );
}

const shown = StateEffect.define();

const atCursor = StateField.define({
  create: () => null,
  update(value, { effects, docChanged, selection }) {
    const effect = effects.find(each => each.is(shown));
    return effect ? effect.value : docChanged || selection ? null : value;
  },
  provide: field => showTooltip.from(field)
});

/** Return the extension that shows documentation at the cursor by Shift-Tab, until Escape. */
export function helpAtCursor(ask) {
  const close = view => {
    const isOpen = view.state.field(atCursor) !== null;
    if (isOpen) {
      view.dispatch({ effects: shown.of(null) });
    }
    return isOpen;
  };
  const open = view => {
    const { state } = view;
    const { head } = state.selection.main;
    closeCompletion(view);
    documentation(ask, state, head).then(dom => {
      if (dom && view.state.doc.eq(state.doc)) {
        // Read out, as it has no focus.
        dom.setAttribute('role', 'status');
        view.dispatch({ effects: shown.of({ pos: head, above: true, create: () => ({ dom }) }) });
      }
    });
    return true;
  };
  return {
    extension: [atCursor, EditorView.domEventHandlers({ blur: (_, view) => void close(view) })],
    keys: [
      { key: 'Shift-Tab', run: open },
      { key: 'Escape', run: close }
    ]
  };
}
