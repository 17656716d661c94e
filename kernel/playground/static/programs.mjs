// Where the program of the page comes from, and where it goes: examples, links, and what was written
// before the page was loaded again.

import { keep, kept } from './drafts.mjs';
import { EXAMPLES } from './examples.mjs';
import { download, toNotebook } from './notebooks.mjs';
import { fromFragment, toFragment } from './sharing.js';

export const LINKED = 'This program came with the link and has not been run. Read it, then press Run.';

/**
 * Copy a text of which there is a promise; resolve to whether that was allowed. Safari allows it
 * during a click, not after something has been waited for.
 */
async function copy(text) {
  try {
    const content = text.then(each => new Blob([each], { type: 'text/plain' }));
    // A failure is told once, by `text`, also where no item takes this.
    content.catch(() => {});
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': content })]);
    return true;
  } catch {
    return text.then(each => navigator.clipboard.writeText(each)).then(() => true, () => false);
  }
}

export class Programs {
  /** `examples` and `facts` are the lists of choices; `notice(text, kind)` tells the reader. */
  constructor(editor, { examples, facts, notice }) {
    this._editor = editor;
    this._examples = examples;
    this._facts = facts;
    this._notice = notice;
    /** Whether the program came with a link, however it was changed, and has not been run. */
    this.isForeign = false;
  }

  /** Offer the examples, and take the program of the address. */
  async open() {
    this._examples.append(
      new Option('choose…', ''),
      ...EXAMPLES.map(({ name, title }) => new Option(title, name))
    );
    const draft = kept(location.hash);
    this._load(draft === null ? EXAMPLES[0] : { text: draft.code });
    this._chooseFacts(draft?.facts ?? null);
    if (draft === null || location.hash) {
      await this.followLink(draft);
    }
  }

  /** Keep what is written for when the page is loaded again. */
  keep() {
    const { isForeign } = this;
    keep({ code: this._editor.text, facts: this._facts.value, isForeign }, location.hash);
  }

  /** Take an example. */
  choose(name) {
    const example = EXAMPLES.find(each => each.name === name);
    if (example) {
      // It is not the program of the address.
      history.replaceState(null, '', location.pathname + location.search);
      this._load(example);
    }
  }

  /**
   * Take the program of the address, if there is one, or what the reader has made of it, the
   * draft. It is not run.
   */
  async followLink(draft = null) {
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
    const unknown = this._chooseFacts(draft?.facts ?? linked.facts);
    this._load({ text: draft?.code ?? linked.code });
    this.isForeign = draft?.isForeign ?? true;
    const told = [this.isForeign ? LINKED : null, unknown].filter(text => text !== null);
    if (told.length) {
      this._notice(told.join(' '));
    }
  }

  /** Put the program into the address, and copy that. */
  async share() {
    const facts = this._facts.selectedIndex > 0 ? this._facts.value : null;
    const fragment = toFragment({ code: this._editor.text, facts });
    const copied = copy(fragment.then(text => new URL(text, location.href).href));
    try {
      history.replaceState(null, '', await fragment);
    } catch (error) {
      this._notice(error.message, 'problem');
      return;
    }
    this._notice(
      (await copied)
        ? 'The link is copied. It holds the program, and the name of the facts.'
        : 'The link is in the address bar: copy it there.'
    );
  }

  /** Give the reader the program as a notebook, with the facts that are chosen. */
  download() {
    const facts = this._facts.selectedIndex > 0 ? this._facts.value : null;
    download('program.ipynb', toNotebook({ code: this._editor.text, facts }));
    this._notice('The notebook program.ipynb has the program in a cell.');
  }

  /** Choose facts by their name, null for those of the page; return what is to be said of it, or null. */
  _chooseFacts(facts) {
    const isKnown = [...this._facts.options].some(({ value }) => value === facts);
    this._facts.value = isKnown ? facts : this._facts.options[0].value;
    return facts === null || isKnown
      ? null
      : `There are no facts called "${facts}" here: those of ${this._facts.value} are chosen.`;
  }

  /** Put a program into the editor. */
  _load({ name = '', text }) {
    this._editor.text = text;
    this._editor.clearError();
    this._examples.value = name;
    this.isForeign = false;
    this._notice(null);
  }
}
