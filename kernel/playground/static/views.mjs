// The tabs that show what the program has made: each is filled by a cell of its own.

import { Outputs } from './outputs.mjs';

// The cells behind the tabs, and the texts that are shown until they have run.
const CELLS = { graph: ':graph', catalog: ':show full :catalog json' };
const WAITING = { graph: 'Drawing…', catalog: 'Writing the catalog…' };

export class Views {
  /** `panel(name)` returns the element of a tab. */
  constructor(session, panel) {
    this._session = session;
    this._panel = panel;
    // Those that show what the session has now.
    this._fresh = new Set();
  }

  /** Return whether the tab is one of these, and does not show what the session has. */
  isStale(name) {
    return name in CELLS && !this._fresh.has(name);
  }

  /** The session has something else now. */
  spoil() {
    this._fresh.clear();
  }

  /** Say why there is nothing to see: that it is being made, unless a text is given. */
  say(name, text = WAITING[name]) {
    this._panel(name).replaceChildren(text);
  }

  /** Fill the panel of a tab. Resolve to whether it has been filled. */
  async fill(name) {
    this._fresh.add(name);
    const made = document.createElement('div');
    const outputs = new Outputs(made);
    this.say(name);
    const show = message => {
      this._panel(name).replaceChildren(made);
      outputs.show(message);
    };
    const reply = await this._session.execute(CELLS[name], show, { store: false });
    this._panel(name).replaceChildren(made);
    if (reply.status !== 'ok') {
      this._fresh.delete(name);
    }
    return reply.status === 'ok';
  }
}
