// Where the next line begins: one step deeper than the line with the innermost open bracket, or
// with the colon of a case option or a resource title at its end.

const CLOSING = /^[)\]}]/;

/** Return the state at the start of a text. */
export function startBlocks() {
  return { open: [], line: 0, indentation: 0, top: 0, last: '' };
}

export function copyBlocks(blocks) {
  return { ...blocks, open: [...blocks.open] };
}

/** Take note that a line of code begins, with so many columns of blanks. */
export function enterLine(blocks, indentation) {
  blocks.line += 1;
  blocks.indentation = indentation;
  if (!blocks.open.length) {
    blocks.top = indentation;
  }
}

/** Take note of a token; `rest` is the text after it on its line. */
export function enterToken(blocks, type, text, rest) {
  if (type === 'Punctuation') {
    if ('([{'.includes(text)) {
      open(blocks, text);
    } else if (')]}'.includes(text)) {
      close(blocks);
    } else if (text === ';') {
      closeColon(blocks);
    } else if (text === ':' && /^\s*(?:#.*)?$/.test(rest) && isInEarlierBrace(blocks)) {
      open(blocks, text);
    }
  }
  if (text.trim() && !type.startsWith('Comment') && type !== 'Literal.String.Doc') {
    blocks.last = text;
  }
}

function open(blocks, text) {
  const { line, indentation, last } = blocks;
  blocks.open.push({ text, line, indentation, isAfterColon: last === ':' });
}

function close(blocks) {
  closeColon(blocks);
  const closed = blocks.open.pop();
  // The block of a case option ends the option.
  if (closed?.text === '{' && closed.isAfterColon) {
    closeColon(blocks);
  }
}

function closeColon({ open }) {
  if (open.at(-1)?.text === ':') {
    open.pop();
  }
}

/** In `file { '/x':` the brace has asked for the step already. */
function isInEarlierBrace({ open, line }) {
  const around = open.at(-1);
  return around?.text === '{' && around.line < line;
}

/** Return the column at which a line begins whose text, without blanks, is `text`. */
export function indentationOf({ open, top }, text, unit) {
  if (!CLOSING.test(text)) {
    return open.length ? open.at(-1).indentation + unit : top;
  }
  return open.findLast(block => block.text !== ':')?.indentation ?? top;
}
