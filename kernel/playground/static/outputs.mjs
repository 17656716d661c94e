// What a cell sends while it runs, shown in a page: messages of the Jupyter protocol.

import { styledText } from './ansi.mjs';
import { html, markdown } from './markup.mjs';

const LEVEL = /^(Debug|Info|Notice|Warning|Error|Alert|Emergency|Critical): /;
// Of the texts that a cell logs: a page with more would be slow.
const MAX_CHARACTERS = 1_000_000;
const MAX_LINES = 10_000;
// A picture is made smaller where it is wider than the page, but not below this.
const SMALLEST = 0.7;
// The richest first.
const FORMS = [
  ['text/html', html],
  ['text/markdown', markdown],
  ['text/plain', text => preformatted('text', text)]
];

/** The outputs of one cell, within an element. */
export class Outputs {
  constructor(element) {
    this._element = element;
    this._displays = new Map();
    this._clear();
  }

  /** Whether nothing has been shown. */
  get isEmpty() {
    return !this._element.hasChildNodes();
  }

  /** Show a message of a cell. */
  show({ type, content }) {
    if (type === 'clear_output') {
      if (content.wait) {
        this._clearsNext = true;
      } else {
        this._clear();
      }
    } else if (type === 'update_display_data') {
      const display = this._displays.get(content.transient?.display_id);
      if (display) {
        fill(display, content.data);
      }
    } else {
      this._append(type, content);
    }
  }

  _clear() {
    this._element.replaceChildren();
    this._clearsNext = false;
    this._lines = 0;
    this._characters = 0;
  }

  _append(type, content) {
    if (this._clearsNext) {
      this._clear();
    }
    if (type === 'stream') {
      this._stream(content.text);
    } else if (type === 'error') {
      const error = preformatted('error', '');
      error.append(styledText(content.traceback.join('\n')));
      // Its lines are not broken: it can be scrolled, by keyboard too.
      error.tabIndex = 0;
      this._element.append(error);
    } else if (type === 'execute_result' || type === 'display_data') {
      const display = document.createElement('div');
      display.className = type === 'execute_result' ? 'output result' : 'output display';
      fill(display, content.data);
      this._element.append(display);
      const id = content.transient?.display_id;
      if (id !== undefined) {
        this._displays.set(id, display);
      }
    }
  }

  _stream(text) {
    for (const line of text.split(/(?<=\n)/)) {
      if (this._isFull(line)) {
        return;
      }
      const [, level] = LEVEL.exec(line) ?? [];
      const span = document.createElement('span');
      span.textContent = line;
      span.className = level ? `level-${level.toLowerCase()}` : '';
      this._lastStream().append(span);
    }
  }

  _lastStream() {
    const last = this._element.lastElementChild;
    if (last?.classList.contains('stream')) {
      return last;
    }
    const stream = preformatted('stream', '');
    this._element.append(stream);
    return stream;
  }

  /** Count a line; tell whether it is one too many, which is said once. */
  _isFull(line) {
    const wasFull = this._lines > MAX_LINES || this._characters > MAX_CHARACTERS;
    this._lines += 1;
    this._characters += line.length;
    const isFull = this._lines > MAX_LINES || this._characters > MAX_CHARACTERS;
    if (isFull && !wasFull) {
      const note = document.createElement('p');
      note.className = 'remark';
      note.textContent = 'More is logged than this page shows.';
      this._element.append(note);
    }
    return isFull;
  }
}

/** Return the form of some data to show. */
function richest(data) {
  const [type, make] = FORMS.find(([type]) => data[type] !== undefined) ?? [];
  return make ? make(data[type]) : preformatted('text', '');
}

function fill(display, data) {
  display.replaceChildren(richest(data));
  display.querySelectorAll('img').forEach(keepReadable);
}

async function keepReadable(image) {
  await image.decode().catch(() => {});
  image.style.minWidth = `${image.naturalWidth * SMALLEST}px`;
}

function preformatted(name, text) {
  const element = document.createElement('pre');
  element.className = `output ${name}`;
  element.textContent = text;
  return element;
}
