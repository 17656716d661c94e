// The page: a program, what it does, and a prompt in the scope that it leaves.

import { Session } from './client.mjs';
import { Console } from './console.mjs';
import { keep, kept } from './drafts.mjs';
import { ProgramEditor, Prompt } from './editor.mjs';
import { EXAMPLES } from './examples.mjs';
import { Inputs } from './inputs.mjs';
import { Outputs } from './outputs.mjs';
import { fromFragment, toFragment } from './sharing.mjs';
import { Status } from './status.mjs';
import { Tabs } from './tabs.mjs';
import { connectTheme } from './theme.mjs';

// The cells behind the tabs.
const VIEWS = { graph: ':graph', catalog: ':catalog json' };
// The place in an error of the program, which is the first cell of its session.
const PLACE = / \(file: cell 1, line: (\d+)(?:, column: (\d+))?\)/;
// Puppet names no line where a program ends too early.
const AT_END = /^Syntax error at end of input/;
const INTRODUCTION =
  'Press Run to see what the program does. Then go on at the prompt below, where its variables, functions and resources are known.';
const LINKED = 'This program came with the link and has not been run. Read it, then press Run.';

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
    this._tabs = new Tabs(document.querySelector('[role=tablist]'), name => this._show(name));
    // The program that was run last.
    this._ran = null;
    // The program that came with a link, until it has been run.
    this._linked = null;
    // The views that show what the session has now.
    this._fresh = new Set();
    this._isStopping = false;
    this._isRunning = false;
    // When the session has begun to run something.
    this._begun = 0;
    this._ended = 0;
    const ask = request => this._ask(request);
    const changed = () => this._wake();
    this._editor = new ProgramEditor(at('editor'), {
      ...{ label: 'Puppet program', ask, changed },
      run: () => this.run()
    });
    this._prompt = new Prompt(at('prompt'), {
      ...{ label: 'Prompt', ask, changed },
      enter: text => this._enter(text),
      earlier: (step, text) => this._inputs.move(step, text)
    });
    this._stateHasChanged('absent');
  }

  /** Fill the page, and take the program of its address. */
  async open() {
    at('examples').append(
      new Option('choose…', ''),
      ...EXAMPLES.map(({ name, title }) => new Option(title, name))
    );
    this._connect();
    this._console.say(INTRODUCTION);
    const draft = kept(location.hash);
    this._load(draft === null ? EXAMPLES[0] : { text: draft });
    if (draft === null || location.hash) {
      await this._followLink(draft);
    }
  }

  /** Run the program in a fresh session. Resolve to whether it has run without an error. */
  async run() {
    if (this._isRunning) {
      return false;
    }
    const code = this._editor.text;
    this._ran = code;
    this._linked = null;
    this._notice(null);
    this._editor.clearError();
    this._console.clear();
    const entry = this._console.begin();
    const reply = await this._occupied(async () => {
      await this._session.reset(at('facts').value);
      return this._execute(code, entry);
    });
    if (reply.status !== 'ok') {
      this._tabs.show('output');
      this._mark(reply);
      return false;
    }
    if (entry.isEmpty) {
      this._console.say('The program has run. It has no value and logs nothing.');
    }
    await this._show(this._tabs.current);
    const seconds = (this._ended - this._begun) / 1000;
    this._status.say(`Ready. The program took ${seconds.toFixed(2)} s.`);
    return true;
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
    });
    return true;
  }

  /** Do something for the reader, who may stop it. */
  async _occupied(work) {
    const become = isRunning => {
      this._isRunning = isRunning;
      at('run').setAttribute('aria-disabled', `${isRunning}`);
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
    this._fresh.clear();
    const reply = await this._session.execute(code, message => entry.show(message));
    this._ended = performance.now();
    for (const { source, text } of reply.payload ?? []) {
      if (source === 'set_next_input') {
        this._prompt.text = text;
      } else if (source === 'ask_exit') {
        this._console.say('There is nothing to leave: close the page, or press Reset.');
      }
    }
    if (reply.ename === 'WorkerError') {
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

  /** Fill the panel of a view. */
  async _show(name) {
    if (!(name in VIEWS) || this._fresh.has(name) || this._isRunning) {
      return;
    }
    if (this._editor.text === this._linked) {
      at(name).replaceChildren(LINKED);
      return;
    }
    if (this._ran === null) {
      // It shows this view when it has run.
      await this.run();
      return;
    }
    this._fresh.add(name);
    at(name).replaceChildren();
    const outputs = new Outputs(at(name));
    await this._session.execute(VIEWS[name], message => outputs.show(message), { store: false });
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
      await this._session.stop();
      this._console.say('Stopped. The session is as it was before.');
    } catch {
      // The state of the session says why.
    } finally {
      this._isStopping = false;
    }
  }

  async _reset() {
    this._ran = null;
    this._fresh.clear();
    this._editor.clearError();
    this._notice(null);
    this._tabs.show('output');
    this._isStopping = this._session.state === 'busy';
    await this._session.reset(at('facts').value).catch(() => {});
    this._isStopping = false;
    this._console.clear();
    this._console.say('A fresh session. Press Run for the program, or enter something below.');
  }

  /** Other facts are chosen: run a program that has been run again. */
  async _changeFacts() {
    if (this._ran === this._editor.text) {
      await this.run();
    } else {
      await this._reset();
    }
  }

  async _share() {
    const facts = at('facts').value;
    const chosen = at('facts').selectedIndex > 0 ? facts : null;
    try {
      history.replaceState(null, '', await toFragment({ code: this._editor.text, facts: chosen }));
    } catch (error) {
      this._notice(error.message, 'problem');
      return;
    }
    try {
      await navigator.clipboard.writeText(location.href);
      this._notice('The link is copied. It holds the program, and the name of the facts.');
    } catch {
      this._notice('The link is in the address bar: copy it there.');
    }
  }

  _keep() {
    keep(this._editor.text, location.hash);
  }

  /**
   * Take the program of the address, if there is one, or what the reader has made of it, the
   * draft. It is not run.
   */
  async _followLink(draft = null) {
    let linked;
    try {
      linked = await fromFragment(location.hash);
    } catch (error) {
      this._notice(error.message, 'problem');
      return;
    }
    if (linked === null) {
      return;
    }
    const { code, facts } = linked;
    const isKnown = [...at('facts').options].some(({ value }) => value === facts);
    at('facts').value = isKnown ? facts : at('facts').options[0].value;
    const others = `There are no facts called "${facts}" here: those of ${at('facts').value} are chosen.`;
    this._load({ text: draft ?? code });
    this._linked = this._editor.text;
    this._notice(facts === null || isKnown ? LINKED : `${LINKED} ${others}`);
  }

  /** Put a program into the editor. */
  _load({ name = '', text }) {
    this._editor.text = text;
    this._editor.clearError();
    at('examples').value = name;
    this._notice(null);
  }

  _chooseExample(name) {
    const example = EXAMPLES.find(each => each.name === name);
    if (example) {
      // It is not the program of the address.
      history.replaceState(null, '', location.pathname + location.search);
      this._load(example);
    }
  }

  /** Load the session for somebody who writes. */
  _wake() {
    if (this._session.state === 'absent') {
      this._takeFacts().then(() => this._session.start().catch(() => {}));
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
        at('version').textContent = `puppet-repl ${version}`;
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
    on('stop', 'click', () => this._stop());
    on('reset', 'click', () => this._reset());
    on('share', 'click', () => this._share());
    on('facts', 'change', () => this._changeFacts());
    on('examples', 'change', ({ target }) => this._chooseExample(target.value));
    on('help-button', 'click', () => at('help').showModal());
    addEventListener('hashchange', () => this._followLink());
    addEventListener('pagehide', () => this._keep());
    // Phones end pages that are not seen without another word.
    document.addEventListener('visibilitychange', () => this._keep());
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
