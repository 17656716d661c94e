// What the lines of a cell are: Puppet code, a template, commands, cell magics, or plain text.

import { PROGRAM, TEMPLATE, isAtTop, lexLine, startContexts } from './lexer.js';
import { COMMANDS, MAGICS } from './rules.js';

const MAGIC = /^(\s*)(%%\w*)([ \t]*)(.*)$/;
// As in puppet_repl/host/command_syntax.py.
const COMMAND = /^(\s*)([:%])([A-Za-z]\w*(?:!(?!\S))?|\?)(?![\w:])[ \t]*/;

const PLAIN = 'plain';
// What the lines below a magic are, by the kinds of MAGICS; below the other kinds the cell goes on.
const BODIES = {
  code: () => PROGRAM,
  template: () => TEMPLATE,
  text: () => PLAIN,
  file: name => (name.endsWith('.pp') ? PROGRAM : name.endsWith('.epp') ? TEMPLATE : PLAIN)
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
  const isFirst = !cell.isBegun;
  if (isFirst) {
    const magic = MAGIC.exec(line.trimEnd());
    if (magic) {
      return magicLine(line, magic, cell);
    }
    cell.isBegun = line.trim() !== '';
  }
  const mayBeCommand = !isNested && isAtTop(cell.contexts);
  return (mayBeCommand && commandLine(line, cell, isFirst)) || lexLine(line, cell.contexts);
}

/** Return the tokens of a line with a command, null for one without. */
function commandLine(line, cell, isFirst) {
  const command = COMMAND.exec(line);
  if (!command) {
    return null;
  }
  const [head, blank, mark, name] = command;
  // Below code a percent sign may divide.
  const isCode = mark === '%' && (line[head.length] === '(' || !COMMANDS.includes(name));
  if (!isFirst && (blank || isCode)) {
    return null;
  }
  const end = blank.length + mark.length + name.length;
  cell.contexts = startContexts(PROGRAM);
  return [
    ['Text.Whitespace', blank],
    ['Keyword', mark + name],
    ...lexLine(line.slice(end), cell.contexts)
  ];
}

/** Return the tokens of the first line of a cell with a magic, and take note of its body. */
function magicLine(line, [head, blank, name, space, argument], cell) {
  const kind = MAGICS[name];
  const body = BODIES[kind]?.(argument);
  if (body !== undefined) {
    cell.isBegun = true;
    cell.isPlain = body === PLAIN;
    cell.contexts = startContexts(cell.isPlain ? PROGRAM : body);
  }
  return [
    ['Text.Whitespace', blank],
    ['Keyword', name],
    ['Text.Whitespace', space],
    ...argumentTokens(kind, argument + line.slice(head.length), cell)
  ];
}

function argumentTokens(kind, argument, cell) {
  if (kind === 'cell') {
    return cellLine(argument, cell, false);
  }
  if (kind === 'captured') {
    const [word] = /^\S*/.exec(argument);
    const tokens = lexLine(word, startContexts(PROGRAM));
    return [...tokens, ...cellLine(argument.slice(word.length), cell, false)];
  }
  // The parameters of a template are a hash, or YAML.
  if (kind === 'template' && argument.includes('=>')) {
    return lexLine(argument, startContexts(PROGRAM));
  }
  return [['Text', argument]];
}
