// Puppet programs and templates, line by line: the rules of the Pygments lexer, and what it does
// beside them, which is heredocs and the tags of comments. Its method `lex_line` is the model.

import { RULES, STATES } from './rules.js';

export const PROGRAM = 'root';
export const TEMPLATE = 'template';

// What stands for ordinary code, outside of heredocs.
const CODE = { tag: '', interpolated: false, escapes: '' };
const ALL_ESCAPES = 'tnrsuL$';
// What is more likely to begin an expression than to be the name of a variable.
const CONTROL = new Set(['case', 'if', 'unless']);

const machines = new Map();

/** Return the rules of a state as one pattern, with the number of each rule's group in it. */
function machineOf(state) {
  let machine = machines.get(state);
  if (machine === undefined) {
    const rules = [];
    const sources = [];
    let group = 1;
    for (const [source, action, pops, pushes] of STATES[state].map(number => RULES[number])) {
      const inner = new RegExp(`${source}|`).exec('').length - 1;
      rules.push({ group, inner, action, pops, pushes });
      sources.push(`(${source})`);
      group += 1 + inner;
    }
    machine = { pattern: new RegExp(sources.join('|'), 'y'), rules };
    machines.set(state, machine);
  }
  return machine;
}

/** Return the state at the start of a program or a template. */
export function startContexts(root) {
  return [newContext([root], CODE)];
}

function newContext(stack, heredoc) {
  return { stack, pending: [], heredoc };
}

export function copyContexts(contexts) {
  return contexts.map(({ stack, pending, heredoc }) => ({
    stack: [...stack],
    pending: [...pending],
    heredoc
  }));
}

/** Tell whether a line that follows would be code: not part of a string, comment or heredoc. */
export function isInCode(contexts) {
  const texts = ['single', 'double', 'comment', 'regex', 'epp-comment', TEMPLATE];
  return contexts.length === 1 && !texts.includes(contexts[0].stack.at(-1));
}

/** Tell whether a line that follows would not be inside of anything. */
export function isAtTop(contexts) {
  const [{ stack }] = contexts;
  return contexts.length === 1 && stack.every(state => state === PROGRAM || state === 'operand');
}

/** Return the tokens of a line, pairs of type and text; the contexts become those at its end. */
export function lexLine(line, contexts) {
  const closed = closedBy(line, contexts);
  if (closed > 0) {
    const { tag } = contexts[closed].heredoc;
    contexts.length = closed;
    openHeredoc(contexts);
    return endLineTokens(line, tag);
  }
  const tokens = [...run(line, contexts.at(-1))];
  openHeredoc(contexts);
  return tokens;
}

/** Return the index of the outermost context whose heredoc a line ends, 0 if it ends none. */
function closedBy(line, contexts) {
  const text = line.trimEnd();
  const index = contexts.findIndex(({ heredoc }) => heredoc.tag && text.endsWith(heredoc.tag));
  return Math.max(index, 0);
}

/** Begin the text of the next heredoc that the innermost context has announced. */
function openHeredoc(contexts) {
  const heredoc = contexts.at(-1).pending.shift();
  if (heredoc !== undefined) {
    const escapes = heredoc.escapes ? '-escape' : '';
    const interpolates = heredoc.interpolated ? '-interpolate' : '';
    contexts.push(newContext([`heredoc${escapes}${interpolates}`], heredoc));
  }
}

/** Split the line that ends a heredoc: lost text, indentation, margin markers with the tag. */
function endLineTokens(line, tag) {
  const tail = line.trimEnd().length;
  let start = tail - tag.length;
  let lost = line.slice(0, start).trimEnd();
  for (const marker of '-|') {
    if (lost.endsWith(marker)) {
      start = lost.length - 1;
      lost = lost.slice(0, -1).trimEnd();
    }
  }
  return [
    ['Literal.String.Heredoc', lost],
    ['Text.Whitespace', line.slice(lost.length, start)],
    ['Literal.String.Delimiter', line.slice(start, tail)],
    ['Text.Whitespace', line.slice(tail)]
  ].filter(([, text]) => text);
}

/** Apply the rules of a context to a line. */
function* run(line, context) {
  const { stack } = context;
  let position = 0;
  while (position < line.length) {
    const { pattern, rules } = machineOf(stack.at(-1));
    pattern.lastIndex = position;
    const found = pattern.exec(line);
    if (found === null) {
      yield ['Error', line[position]];
      position += 1;
      continue;
    }
    const rule = rules.find(({ group }) => found[group] !== undefined);
    for (const token of tokensOf(rule, found, context)) {
      yield token;
      position += token[1].length;
    }
    if (rule.pops) {
      stack.splice(Math.max(stack.length - rule.pops, 1));
    }
    stack.push(...rule.pushes);
  }
}

function tokensOf({ action, group, inner }, found, context) {
  if (action in ACTIONS) {
    return ACTIONS[action](found.slice(group, group + inner + 1), context);
  }
  return action ? [[action, found[group]]] : [];
}

// What the lexer does where a rule has more than one token; the names are those of the functions.
const ACTIONS = {
  _tagged_comment([, mark, tag, rest]) {
    return [
      ['Comment.Single', mark],
      [tag.startsWith('@') ? 'Literal.String.Doc' : 'Comment.Special', tag],
      ['Comment.Single', rest]
    ].filter(([, text]) => text);
  },

  _word_at_line_end([word, magic], { stack }) {
    // The lexer looks at the text below, which an editor does not show to a language.
    if (CONTROL.has(word)) {
      stack.pop();
      return [];
    }
    stack[stack.length - 1] = 'operand';
    return [[magic ? 'Name.Variable.Magic' : 'Name.Variable', word]];
  },

  _heredoc_header([header, written, , escapes], context) {
    let tag = written.trim();
    const interpolated = tag.length > 1 && tag.startsWith('"') && tag.endsWith('"');
    if (interpolated) {
      tag = tag.slice(1, -1).trim();
    }
    if (!tag) {
      return [['Operator', '@']];
    }
    context.pending.push({
      tag,
      interpolated,
      escapes: escapes === '' ? ALL_ESCAPES : escapes || ''
    });
    context.stack.push('operand');
    const end = '@('.length + written.length;
    return [
      ['Literal.String.Delimiter', header.slice(0, end)],
      ['Literal.String.Affix', header.slice(end, -1)],
      ['Literal.String.Delimiter', ')']
    ].filter(([, text]) => text);
  },

  _heredoc_escape([sequence], { heredoc }) {
    const kind = sequence.endsWith('\n') ? 'L' : sequence.slice(1, 2);
    if (kind === '\\' || (heredoc.escapes.includes(kind) && kind && sequence !== '\\u')) {
      return [['Literal.String.Escape', sequence]];
    }
    const isVariable = kind === '$' && heredoc.interpolated;
    return [['Literal.String.Heredoc', isVariable ? '\\' : sequence]];
  }
};
