// What the lines of a cell are: Puppet code, a template, commands, cell magics, or plain text.

import { PROGRAM, TEMPLATE, isAtTop, lexLine, startContexts } from './lexer.js';

const MAGIC = /^(\s*)(%%\w*)([ \t]*)(.*)$/;
// As in puppet_repl/commands/syntax.py.
const COMMAND = /^(\s*)([:%](?:[A-Za-z]\w*(?:!(?!\S))?|\?)(?![\w:]))/;

const PLAIN = 'plain';
// Cell magics whose bodies are not Puppet code.
const BODIES = {
  '%%epp': () => TEMPLATE,
  '%%facts': () => PLAIN,
  '%%file': name => (name.endsWith('.pp') ? PROGRAM : name.endsWith('.epp') ? TEMPLATE : PLAIN)
};

/** Return the state at the start of a cell. */
export function startCell() {
  return { isBegun: false, isPlain: false, contexts: startContexts(PROGRAM) };
}

/** Return the tokens of a line of a cell; the state becomes that at its end. */
export function cellLine(line, cell, isNested) {
  if (cell.isPlain) {
    return [['Text', line]];
  }
  if (!cell.isBegun) {
    const magic = MAGIC.exec(line.trimEnd());
    if (magic) {
      return magicLine(line, magic, cell);
    }
    cell.isBegun = line.trim() !== '';
  }
  const command = !isNested && isAtTop(cell.contexts) && COMMAND.exec(line);
  if (command) {
    cell.contexts = startContexts(PROGRAM);
    const [head, blank, name] = command;
    return [
      ['Text.Whitespace', blank],
      ['Keyword', name],
      ...lexLine(line.slice(head.length), cell.contexts)
    ];
  }
  return lexLine(line, cell.contexts);
}

/** Return the tokens of the first line of a cell with a magic, and take note of its body. */
function magicLine(line, [head, blank, name, space, argument], cell) {
  const body = (BODIES[name] || (() => PROGRAM))(argument);
  cell.isPlain = body === PLAIN;
  if (!cell.isPlain) {
    cell.contexts = startContexts(body);
    // Below a magic for code another one may follow.
    cell.isBegun = body === TEMPLATE || (argument !== '' && name === '%%time');
  }
  return [
    ['Text.Whitespace', blank],
    ['Keyword', name],
    ['Text.Whitespace', space],
    ...argumentTokens(name, argument + line.slice(head.length), cell)
  ];
}

function argumentTokens(name, argument, cell) {
  if (name === '%%time') {
    return lexLine(argument, cell.contexts);
  }
  // The parameters of a template are a hash, or YAML.
  if (name === '%%epp' && argument.includes('=>')) {
    return lexLine(argument, startContexts(PROGRAM));
  }
  return [['Text', argument]];
}
