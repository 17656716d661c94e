// The languages of the extension for JupyterLab, made with the libraries of this bundle, and code
// outside of editors in their colours.

import {
  HighlightStyle,
  LanguageSupport,
  StreamLanguage,
  foldService,
  indentUnit,
  syntaxHighlighting
} from '@codemirror/language';
import { Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, hoverTooltip } from '@codemirror/view';
import { classHighlighter, highlightCode, tags } from '@lezer/highlight';
import { makeLanguages } from '../../labextension/static/language.js';
import { marking } from '../../labextension/static/marks.js';

const LIBRARIES = {
  language: {
    HighlightStyle,
    LanguageSupport,
    StreamLanguage,
    foldService,
    indentUnit,
    syntaxHighlighting
  },
  state: { Prec, StateEffect, StateField },
  view: { Decoration, EditorView, ViewPlugin, hoverTooltip },
  highlight: { tags }
};

/**
 * Return the extensions for cells: the language, and marks below what `find(view)` says is wrong
 * while it is typed. `register(checker)` is given who asks, and returns how to forget it.
 */
export function cells(find, register) {
  const marks = marking(LIBRARIES, find, register);
  return [makeLanguages(LIBRARIES, marks).cells, syntaxHighlighting(classHighlighter)];
}

const { cells: plain } = makeLanguages(LIBRARIES, []);

/** Return a fragment of the page with highlighted code. */
export function highlighted(code) {
  const fragment = document.createDocumentFragment();
  const put = (text, classes) => {
    const span = document.createElement('span');
    span.textContent = text;
    span.className = classes;
    fragment.append(classes ? span : text);
  };
  highlightCode(code, plain.language.parser.parse(code), classHighlighter, put, () => put('\n', ''));
  return fragment;
}
