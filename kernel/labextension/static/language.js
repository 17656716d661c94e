// The languages of cells and of templates, for CodeMirror.

import { cellLine, startCell } from './cells.js';
import { foldIndented } from './folding.js';
import {
  copyBlocks,
  enterLine,
  enterToken,
  indentationOf,
  startBlocks
} from './indentation.js';
import { TEMPLATE, copyContexts, isInCode, lexLine, startContexts } from './lexer.js';

export const CELL = 'puppet-repl';
export const EPP = 'puppet-repl-epp';
// As the style guide of Puppet has it.
const INDENT_UNIT = '  ';

// The tags of CodeMirror for the tokens of Pygments, the most special first. Those that the themes
// of JupyterLab colour are preferred; `colours` below has the others.
const TAGS = [
  ['Comment.Preproc', 'meta'],
  ['Comment', 'comment'],
  ['Literal.String.Doc', 'comment'],
  ['Keyword.Type', 'typeName'],
  ['Keyword.Constant', 'atom'],
  ['Keyword', 'keyword'],
  ['Operator.Word', 'operatorKeyword'],
  ['Operator', 'operator'],
  ['Punctuation', 'punctuation'],
  ['Name.Variable', 'variableName.special'],
  ['Name.Attribute', 'attributeName'],
  ['Name.Builtin', 'variableName.standard'],
  ['Name.Function', 'variableName.function'],
  ['Name.Tag', 'tagName'],
  ['Name.Class', 'className'],
  ['Literal.Number', 'number'],
  ['Literal.String.Escape', 'escape'],
  ['Literal.String.Interpol', 'brace'],
  ['Literal.String.Delimiter', 'string.special'],
  ['Literal.String.Affix', 'string.special'],
  ['Literal.String.Symbol', 'labelName'],
  ['Literal.String.Regex', 'regexp'],
  ['Literal.String', 'string'],
  ['Error', 'invalid']
];
const tagCache = new Map();

function tagOf(type) {
  if (!tagCache.has(type)) {
    tagCache.set(type, TAGS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? null);
  }
  return tagCache.get(type);
}

/** Return a parser for StreamLanguage; `lines` are the functions that make and read its state. */
function streamParser(name, lines) {
  return {
    name,
    startState: () => ({ text: lines.start(), blocks: startBlocks(), tokens: [] }),
    // States are copied between lines, where no tokens are left.
    copyState: ({ text, blocks }) => ({
      text: { ...text, contexts: copyContexts(text.contexts) },
      blocks: copyBlocks(blocks),
      tokens: []
    }),
    token: (stream, state) => nextToken(stream, state, lines),
    blankLine: state => void lines.read('\n', state),
    indent: ({ text, blocks }, after, context) =>
      lines.isCode(text) ? indentationOf(blocks, after, context.unit) : null,
    languageData: {
      commentTokens: { line: '#' },
      closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
      indentOnInput: /^\s*[)\]}]$/
    }
  };
}

/** Advance to the end of a token: the first one of a line brings those of the whole line. */
function nextToken(stream, state, lines) {
  if (stream.sol()) {
    if (lines.isCode(state.text)) {
      enterLine(state.blocks, stream.indentation());
    }
    // The rules look at the line end; the last token is that or ends with it.
    state.tokens = lines.read(`${stream.string}\n`, state).reverse();
  }
  const [type, text] = state.tokens.pop();
  stream.pos = Math.min(stream.pos + text.length, stream.string.length);
  enterToken(state.blocks, type, text, stream.string.slice(stream.pos));
  return tagOf(type);
}

const CELL_LINES = {
  start: startCell,
  read: (line, { text, blocks }) =>
    cellLine(line, text, blocks.open.length > 0).filter(([, token]) => token),
  isCode: ({ isPlain, contexts }) => !isPlain && isInCode(contexts)
};
const TEMPLATE_LINES = {
  start: () => ({ contexts: startContexts(TEMPLATE) }),
  read: (line, { text }) => lexLine(line, text.contexts),
  isCode: ({ contexts }) => isInCode(contexts)
};

/** Return the colours of the tags that the themes of JupyterLab do not know. */
function colours({ HighlightStyle }, { tags }) {
  const variable = name => `var(--jp-mirror-editor-${name}-color)`;
  return HighlightStyle.define([
    { tag: [tags.typeName, tags.className], color: variable('variable-3') },
    { tag: tags.function(tags.variableName), color: variable('def') },
    { tag: [tags.regexp, tags.escape], color: variable('string-2') },
    { tag: tags.invalid, color: variable('error') }
  ]);
}

/** Return the two languages, made with the libraries of the page; cells get the marks, too. */
export function makeLanguages({ language, highlight, state }, marks) {
  const { LanguageSupport, StreamLanguage, foldService, indentUnit, syntaxHighlighting } = language;
  const support = [
    syntaxHighlighting(colours(language, highlight)),
    foldService.of(foldIndented),
    // The unit of JupyterLab's settings is that of all languages.
    state.Prec.highest(indentUnit.of(INDENT_UNIT))
  ];
  const made = (name, lines) => StreamLanguage.define(streamParser(name, lines));
  return {
    cells: new LanguageSupport(made(CELL, CELL_LINES), [...support, marks]),
    templates: new LanguageSupport(made(EPP, TEMPLATE_LINES), support)
  };
}
