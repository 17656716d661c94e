// Where something is in a text: an editor counts UTF-16 code units, Puppet and the Jupyter protocol
// count characters.

/** Return the offset of an editor for one in characters. */
export function unitsAt(text, characters) {
  return [...text].slice(0, characters).join('').length;
}

/** Return how many characters there are before an offset of an editor. */
export function charactersAt(text, units) {
  return [...text.slice(0, units)].length;
}

/** Return the range of a place in a document: from its column to the end of the word there. */
export function rangeOf(doc, { line, column }) {
  const { from, to, text } = doc.line(Math.min(line, doc.lines));
  const start = Math.min(from + unitsAt(text, column - 1), to);
  const [word] = /^[$\w:]+|^.?/u.exec(text.slice(start - from));
  return { from: start, to: start + word.length };
}
