// The output of a program and, below it, what was entered at the prompt with its outputs.

import { highlighted } from './editor.mjs';
import { Outputs } from './outputs.mjs';

export class Console {
  constructor(element) {
    this._element = element;
    this._frame = null;
  }

  /** Remove everything. */
  clear() {
    this._element.replaceChildren();
  }

  /** Show a text of the page itself, such as an introduction. */
  say(text) {
    const line = document.createElement('p');
    line.className = 'remark';
    line.textContent = text;
    this._element.append(line);
    this._scroll();
  }

  /** Begin the outputs of a cell, below its text if there is one; return how to show a message. */
  begin(input = null) {
    const entry = document.createElement('section');
    entry.className = 'entry';
    if (input !== null) {
      const echo = document.createElement('pre');
      echo.className = 'echo';
      echo.append(highlighted(input));
      entry.append(echo);
    }
    const body = document.createElement('div');
    entry.append(body);
    this._element.append(entry);
    this._scroll();
    const outputs = new Outputs(body);
    return {
      show: message => {
        outputs.show(message);
        if (input !== null) {
          this._scroll();
        }
      },
      get isEmpty() {
        return outputs.isEmpty;
      }
    };
  }

  /** Show the end, once for all that comes until the page is drawn. */
  _scroll() {
    this._frame ??= requestAnimationFrame(() => {
      this._frame = null;
      const pane = this._element.closest('.scrolled');
      pane.scrollTop = pane.scrollHeight;
    });
  }
}
