// Coloured text of a terminal as elements. The kernel's errors are bold and dim only.

const ESCAPE = /\x1b\[([\d;]*)m/;
const STYLES = { 1: 'ansi-bold', 2: 'ansi-dim', 3: 'ansi-italic', 4: 'ansi-underline' };

/** Return a fragment of the page with the text; what the escapes mean are classes in it. */
export function styledText(text) {
  const fragment = document.createDocumentFragment();
  const styles = new Set();
  // Between texts there are the parameters of the escapes.
  text.split(ESCAPE).forEach((piece, index) => {
    if (index % 2) {
      apply(piece, styles);
    } else if (piece) {
      const span = document.createElement('span');
      span.textContent = piece;
      span.className = [...styles].join(' ');
      fragment.append(span);
    }
  });
  return fragment;
}

function apply(parameters, styles) {
  for (const number of parameters.split(';').map(Number)) {
    if (number === 0) {
      styles.clear();
    } else if (STYLES[number]) {
      styles.add(STYLES[number]);
    } else if (number === 22) {
      styles.delete(STYLES[1]);
      styles.delete(STYLES[2]);
    }
  }
}
