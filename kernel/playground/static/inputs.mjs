// What was entered at the prompt, for its arrow keys.

export class Inputs {
  constructor() {
    this._texts = [];
    this._index = 0;
    // What was being typed when an earlier input was shown.
    this._draft = '';
  }

  /** Remember an input. */
  add(text) {
    if (this._texts.at(-1) !== text) {
      this._texts.push(text);
    }
    this._index = this._texts.length;
  }

  /** Return the input `step` away from the shown one, whose text is `text`; null without one. */
  move(step, text) {
    const index = this._index + step;
    if (index < 0 || index > this._texts.length) {
      return null;
    }
    if (this._index === this._texts.length) {
      this._draft = text;
    }
    this._index = index;
    return this._texts[index] ?? this._draft;
  }
}
