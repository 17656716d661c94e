// The page: a program, what it does, and a prompt in the scope that it leaves.

import { Session } from './client.mjs';
import { Console } from './console.mjs';
import { ProgramEditor, Prompt, problemText } from './editor.mjs';
import { Inputs } from './inputs.mjs';
import { LINKED, Programs } from './programs.mjs';
import { Status } from './status.mjs';
import { Tabs } from './tabs.mjs';
import { connectTheme } from './theme.mjs';
import { Views } from './views.mjs';

// The place in an error of the program, which is the first cell of its session.
const PLACE = / \(file: cell 1, line: (\d+)(?:, column: (\d+))?\)/;
// Puppet names no line where a program ends too early.
const AT_END = /^Syntax error at end of input/;
const INTRODUCTION =
  'Press Run to see what the program does. Then go on at the prompt below, where its variables, functions and resources are known.';

const at = id => document.getElementById(id);

class Playground {
  constructor() {
    this._session = new Session(
      state => this._stateHasChanged(state),
      bytes => this._status.progress(bytes)
    );
    this._status = new Status(at('state'), at('progress'));
    this._console = new Console(at('log'));
    this._inputs = new Inputs();
    this._views = new Views(this._session, at);
    this._tabs = new Tabs(document.querySelector('[role=tablist]'), name => this._show(name));
    // The program that was run last.
    this._ran = null;
    this._isStopping = false;
    this._isRunning = false;
    // When the session has begun to run something, and how long the last cell took.
    this._begun = 0;
    this._seconds = 0;
    const ask = request => this._ask(request);
    const changed = () => this._wake();
    this._editor = new ProgramEditor(at('editor'), {
      ...{ label: 'Puppet program', ask, changed },
      run: () => this.run(),
      format: () => this._format()
    });
    this._prompt = new Prompt(at('prompt'), {
      ...{ label: 'Prompt', ask, changed },
      enter: text => this._enter(text),
      earlier: (step, text) => this._inputs.move(step, text)
    });
    this._programs = new Programs(this._editor, {
      ...{ examples: at('examples'), facts: at('facts') },
      notice: (text, kind) => this._notice(text, kind)
    });
    this._stateHasChanged('absent');
  }

  /** Fill the page, and take the program of its address. */
  async open() {
    this._connect();
    this._console.say(INTRODUCTION);
    await this._programs.open();
  }

  /** Run the program in a fresh session. Resolve to whether it has run without an error. */
  async run() {
    if (this._isRunning) {
      return false;
    }
    const code = this._editor.text;
    this._ran = code;
    this._programs.isForeign = false;
    this._notice(null);
    this._editor.clearError();
    this._console.clear();
    const entry = this._console.begin();
    const reply = await this._occupied(async () => {
      const begun = await this._session.reset(at('facts').value);
      return begun.status === 'ok' ? this._execute(code, entry) : this._tell(begun, entry);
    });
    if (reply.status !== 'ok') {
      this._tabs.show('output');
      this._mark(reply);
      this._reveal();
      return false;
    }
    if (entry.isEmpty) {
      this._console.say('The program has run. It has no value and logs nothing.');
    }
    const seconds = this._seconds;
    await this._show(this._tabs.current);
    this._reveal();
    if (this._session.state === 'idle') {
      this._status.say(`Ready. The program took ${seconds.toFixed(2)} s.`);
    }
    return true;
  }

  /** Scroll to the results: on a phone they are below the window, and Run seemed to do nothing. */
  _reveal() {
    document.querySelector('.results').scrollIntoView({ block: 'nearest' });
  }

  /** Bring the program into its form; one with an error stays as it is. */
  async _format() {
    if (this._isRunning) {
      return;
    }
    const code = this._editor.text;
    this._notice(null);
    this._editor.clearError();
    const answer = await this._occupied(async () => {
      await this._takeFacts();
      return this._session.request({ type: 'format', code, cursor: this._editor.cursor });
    });
    const { problem } = answer;
    if (problem) {
      this._editor.showError(problem.message, problem);
      this._notice(`Not formatted: ${problemText(answer)}`, 'problem');
    } else if (answer.code !== undefined && this._editor.text === code) {
      if (answer.code !== code) {
        this._editor.reform(answer.code, answer.cursor);
        this._ran = this._ran === code ? answer.code : this._ran;
      }
      this._status.say(answer.code === code ? 'The program has its form.' : 'Formatted.');
    } else if (answer.status === 'error') {
      this._notice(`Not formatted: ${answer.evalue}`, 'problem');
    }
  }

  /** Run an input of the prompt; return whether it was taken. */
  _enter(text) {
    if (this._isRunning) {
      return false;
    }
    this._inputs.add(text);
    this._tabs.show('output');
    this._notice(null);
    const entry = this._console.begin(text);
    this._occupied(async () => {
      await this._takeFacts();
      await this._execute(text, entry);
    }).then(() => this._show(this._tabs.current));
    return true;
  }

  /** Do something for the reader, who may stop it. */
  async _occupied(work) {
    const become = isRunning => {
      this._isRunning = isRunning;
      at('run').setAttribute('aria-disabled', `${isRunning}`);
      at('format').setAttribute('aria-disabled', `${isRunning}`);
      at('stop').setAttribute('aria-disabled', `${!isRunning}`);
      at('facts').disabled = isRunning;
    };
    become(true);
    try {
      return await work();
    } finally {
      become(false);
    }
  }

  /** Begin the first session with the chosen facts. */
  async _takeFacts() {
    if (this._session.state === 'absent') {
      await this._session.reset(at('facts').value);
    }
  }

  async _execute(code, entry) {
    this._views.spoil();
    const reply = await this._session.execute(code, message => entry.show(message));
    this._seconds = (performance.now() - this._begun) / 1000;
    for (const { source, text } of reply.payload ?? []) {
      if (source === 'set_next_input') {
        this._prompt.text = text;
      } else if (source === 'ask_exit') {
        this._console.say('There is nothing to leave: close the page, or press Reset.');
      }
    }
    return this._tell(reply, entry);
  }

  /** Show the error of a reply to what no worker has run; return the reply. */
  _tell(reply, entry) {
    if (reply.status === 'error' && reply.execution_count === undefined) {
      entry.show({ type: 'error', content: reply });
    }
    return reply;
  }

  /** Mark the place of a program's error in it. */
  _mark({ evalue = '' }) {
    const [place, line, column] = PLACE.exec(evalue) ?? [];
    if (place) {
      const message = evalue.replace(place, '');
      this._editor.showError(message, { line: Number(line), column: Number(column ?? 1) });
    } else if (AT_END.test(evalue)) {
      const lines = this._editor.text.trimEnd().split('\n');
      const end = { line: lines.length, column: [...lines.at(-1)].length };
      this._editor.showError('Syntax error at end of input', end);
    }
  }

  /** Fill the panel of a tab, unless that has been done. */
  async _show(name) {
    if (!this._views.isStale(name)) {
      return;
    }
    if (this._isRunning) {
      this._views.say(name);
    } else if (this._programs.isForeign) {
      this._views.say(name, LINKED);
    } else if (this._ran === null) {
      // It shows this tab when it has run.
      this._views.say(name);
      await this.run();
    } else if (await this._occupied(() => this._views.fill(name))) {
      // Another one may have been chosen meanwhile.
      await this._show(this._tabs.current);
    }
  }

  async _stop() {
    if (!this._isRunning) {
      return;
    }
    if (this._session.state === 'starting') {
      this._session.close();
      return;
    }
    this._isStopping = true;
    try {
      const restored = this._session.stop();
      // Above what is entered until then.
      this._console.say('Stopped. The session is as it was before.');
      await restored;
    } catch {
      // The state of the session says why.
    } finally {
      this._isStopping = false;
    }
  }

  async _reset() {
    this._ran = null;
    this._views.spoil();
    this._editor.clearError();
    this._notice(null);
    this._tabs.show('output');
    this._isStopping = this._session.state === 'busy';
    const begun = this._session.reset(at('facts').value);
    this._console.clear();
    this._console.say('A fresh session. Press Run for the program, or enter something below.');
    await begun;
    this._isStopping = false;
  }

  /** Other facts are chosen: run a program that has been run again. */
  async _changeFacts() {
    if (this._ran === this._editor.text) {
      await this.run();
    } else {
      await this._reset();
    }
  }

  /** Load the session for somebody who writes. */
  _wake() {
    if (this._session.state === 'absent') {
      this._takeFacts().then(() => this._session.start()).catch(() => {});
    }
  }

  /** Ask the session for help; null where it cannot answer at once. */
  async _ask(request) {
    return this._session.state === 'idle' ? this._session.request(request) : null;
  }

  async _stateHasChanged(state) {
    const { problem } = this._session;
    document.body.dataset.state = state;
    this._status.show(state, { problem, isStopping: this._isStopping });
    if (state === 'busy') {
      this._begun = performance.now();
    }
    if (state === 'idle') {
      this._editor.check();
      this._prompt.check();
      if (!at('version').textContent) {
        const { version } = await this._session.request({ type: 'info' });
        if (version !== undefined) {
          at('version').textContent = `puppet-repl ${version}`;
        }
      }
    }
  }

  _notice(text, kind = '') {
    const notice = at('notice');
    notice.hidden = text === null;
    notice.textContent = text ?? '';
    notice.className = `notice ${kind}`;
  }

  _connect() {
    const on = (id, event, action) => at(id).addEventListener(event, action);
    on('run', 'click', () => this.run());
    on('format', 'click', () => this._format());
    on('stop', 'click', () => this._stop());
    on('reset', 'click', () => this._reset());
    on('share', 'click', () => this._programs.share());
    on('notebook', 'click', () => this._programs.download());
    on('facts', 'change', () => this._changeFacts());
    on('examples', 'change', ({ target }) => this._programs.choose(target.value));
    on('help-button', 'click', () => at('help').showModal());
    addEventListener('hashchange', () => this._programs.followLink());
    addEventListener('pagehide', () => this._programs.keep());
    // Phones end pages that are not seen without another word.
    document.addEventListener('visibilitychange', () => this._programs.keep());
    connectTheme(at('theme'));
  }
}

function canRun() {
  return ['WebAssembly', 'Worker', 'CompressionStream'].every(name => name in globalThis);
}

if (canRun()) {
  at('unsupported').remove();
  document.querySelector('main').hidden = false;
  new Playground().open();
}
