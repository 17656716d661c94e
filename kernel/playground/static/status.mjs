// The line at the foot of the page: what the session is doing.

// Of what a worker fetches before it is ready, in bytes: its modules are not counted.
export const EXPECTED_BYTES = 13_300_000;

const TEXTS = {
  absent: 'Not loaded yet. Run loads Python and Puppet (15 MB).',
  starting: 'Loading Python and Puppet (15 MB)…',
  restoring: 'Restoring the session…',
  busy: 'Running…'
};

export class Status {
  constructor(line, bar) {
    this._line = line;
    this._bar = bar;
    this._bar.max = EXPECTED_BYTES;
  }

  /** Show a state of a session; `isStopping` tells that its worker has been ended. */
  show(state, { problem, isStopping }) {
    this._bar.hidden = state !== 'starting';
    if (state === 'starting') {
      this._bar.value = 0;
    }
    if (state === 'failed') {
      this.say(`Python could not be started: ${problem} Run tries again.`);
    } else if (state === 'starting' && isStopping) {
      this.say('Stopping… Python starts again.');
    } else {
      this.say(TEXTS[state] ?? 'Ready.');
    }
  }

  /** Show how much has been loaded. */
  progress(bytes) {
    const isLast = this._bar.value < EXPECTED_BYTES && bytes >= EXPECTED_BYTES;
    this._bar.value = bytes;
    if (isLast) {
      this.say('Starting Python and Puppet…');
    }
  }

  say(text) {
    this._line.textContent = text;
  }
}
