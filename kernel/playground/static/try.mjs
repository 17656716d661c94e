// Run buttons at the examples of a page of documentation. All of them share one worker, which is
// loaded when the first is clicked.
//
// The page has its examples as JSON in the element #try-examples, in the order of its elements
// .try-example: { inputs, session, program, undef, silent }. One of the session of the page is run
// after those before it. The program, which opens in the playground, are inputs of the page, each the
// numbers of an example and of an input of it; [] where there is none. The inputs whose numbers are
// in undef are shown as undef. One that is silent has no button: it is there for those behind it.

const PLAYGROUND = new URL('index.html', import.meta.url);
const MEGABYTE = 1e6;

/** A block of code with its button, and its output below. */
class Example {
  constructor(page, element, { inputs, session, program, undef, silent }) {
    this.inputs = inputs;
    this.isOfSession = session;
    this.program = program;
    this._undef = new Set(undef);
    this._page = page;
    this._block = element;
    this._output = null;
    this._button = button('try-run', '', () => page.click(this));
    if (!silent) {
      element.querySelector('.highlight').append(this._button);
    }
    this.become('ready');
  }

  /** Show what it does: 'ready', 'running', or 'waiting' for another one. */
  become(state) {
    const name = state === 'running' ? 'Stop' : 'Run';
    this._button.textContent = state === 'running' ? '■ Stop' : '▶ Run';
    this._button.setAttribute('aria-label', `${name} this example`);
    this._button.disabled = state === 'waiting';
  }

  /** Begin a new output. */
  clear() {
    this._output?.remove();
    this._output = element('div', 'try-output');
    this._state = this._output.appendChild(element('p', 'try-state'));
    this._state.setAttribute('role', 'status');
    this._block.after(this._output);
  }

  /** Run its inputs by a function; show each, where there are several, and what comes of it. */
  async evaluate(ask, { Outputs }) {
    for (const [number, input] of this.inputs.entries()) {
      if (this.inputs.length > 1) {
        this._output.append(element('pre', 'try-input', input.trimEnd()));
      }
      const outputs = new Outputs(this._output.appendChild(element('div', 'try-cells')));
      const isDone = await ask(input, message => outputs.show(message));
      if (isDone && outputs.isEmpty && this._undef.has(number)) {
        outputs.show({ type: 'execute_result', content: { data: { 'text/plain': 'undef' } } });
      }
    }
  }

  say(text) {
    this._state.textContent = text;
    this._state.hidden = text === '';
  }

  /** Show how it ended: a note, and a link to the playground with a program, if it is one. */
  async finish(note, program) {
    this.say(note || (this._output.querySelector('.output') ? '' : 'No output.'));
    const more = element('p', 'try-more');
    if (program) {
      const { toFragment } = await import('./sharing.js');
      const link = element('a', 'try-open', 'Open in the playground');
      link.href = new URL(await toFragment({ code: program, facts: null }), PLAYGROUND);
      more.append(link);
    }
    more.append(button('try-close', 'Close', () => this._output.remove()));
    this._output.append(more);
  }
}

/** The examples of a page, and the session in which one of them runs. */
class Page {
  constructor(elements, examples) {
    this._examples = elements.map((each, number) => new Example(this, each, examples[number]));
    this._session = null;
    this._rendering = null;
    this._running = null;
    this._isStopped = false;
  }

  async click(example) {
    if (this._running === null) {
      await this._run(example);
    } else {
      this._stop();
    }
  }

  async _run(example) {
    this._running = example;
    this._isStopped = false;
    for (const each of this._examples) {
      each.become(each === example ? 'running' : 'waiting');
    }
    example.clear();
    let note = '';
    try {
      await this._load();
      note = await this._evaluate(example);
    } catch (error) {
      note = this._isStopped ? 'Stopped.' : `Puppet cannot be loaded: ${error.message}`;
    }
    this._running = null;
    this._examples.forEach(each => each.become('ready'));
    await example.finish(note, this._programOf(example));
  }

  _programOf({ program }) {
    return program.map(([number, input]) => this._examples[number].inputs[input]).join('\n');
  }

  async _load() {
    this._running.say('Loading Puppet…');
    const { Session } = await import('./client.mjs');
    this._rendering = await import('./outputs.mjs');
    if (this._isStopped) {
      throw new Error('stopped');
    }
    const progress = bytes => this._tell(`Loading Puppet… ${(bytes / MEGABYTE).toFixed(1)} MB`);
    this._session ??= new Session(() => {}, progress);
    await this._session.start();
    await this._session.reset();
  }

  /** Run the inputs of an example, after those that it builds on. Resolve to a note. */
  async _evaluate(example) {
    this._tell('Running…');
    const before = this._examples.slice(0, this._examples.indexOf(example));
    for (const earlier of example.isOfSession ? before.filter(each => each.isOfSession) : []) {
      for (const input of earlier.inputs) {
        await this._ask(input, () => {});
      }
    }
    await example.evaluate((input, show) => this._ask(input, show), this._rendering);
    return this._isStopped ? 'Stopped.' : '';
  }

  /** Run an input, unless it was stopped. Resolve to whether it came to its end. */
  async _ask(input, show) {
    if (!this._isStopped) {
      await this._session.execute(input, message => this._isStopped || show(message));
    }
    return !this._isStopped;
  }

  _stop() {
    this._isStopped = true;
    this._tell('Stopping…');
    if (this._session?.state === 'starting') {
      this._session.close();
    } else {
      // Another worker is there when it is wanted.
      this._session?.reset();
    }
  }

  _tell(text) {
    this._running?.say(text);
  }
}

function element(tag, name, text = '') {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function button(name, text, click) {
  const made = element('button', name, text);
  made.type = 'button';
  made.addEventListener('click', click);
  return made;
}

const data = document.getElementById('try-examples');
if (data !== null) {
  new Page([...document.querySelectorAll('.try-example')], JSON.parse(data.textContent));
}
