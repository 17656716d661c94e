// Folding by indentation: a line folds the deeper ones below it.

const depth = text => text.search(/\S/);

/** Return the range that the line at `start` folds: from its end to that of the last deeper line. */
export function foldIndented({ doc }, start, end) {
  const own = depth(doc.sliceString(start, end));
  let last = null;
  for (let number = doc.lineAt(start).number + 1; own >= 0 && number <= doc.lines; number++) {
    const line = doc.line(number);
    const indentation = depth(line.text);
    if (indentation >= 0 && indentation <= own) {
      break;
    }
    if (indentation > own) {
      last = line;
    }
  }
  return last && { from: end, to: last.to };
}
