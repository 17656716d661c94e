// Tabs with their panels, as the authoring practices of ARIA have them.

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export class Tabs {
  /** `shown(name)` is called when another panel is shown; names are the identifiers of panels. */
  constructor(list, shown) {
    this._tabs = [...list.querySelectorAll('[role=tab]')];
    this._shown = shown;
    for (const tab of this._tabs) {
      tab.addEventListener('click', () => this.show(tab.getAttribute('aria-controls')));
    }
    list.addEventListener('keydown', event => this._move(event));
  }

  /** The name of the panel that is shown. */
  get current() {
    const tab = this._tabs.find(each => each.getAttribute('aria-selected') === 'true');
    return tab.getAttribute('aria-controls');
  }

  /** Show a panel, by its name. */
  show(name) {
    const isOther = name !== this.current;
    for (const tab of this._tabs) {
      const panel = tab.getAttribute('aria-controls');
      const isShown = panel === name;
      tab.setAttribute('aria-selected', `${isShown}`);
      tab.tabIndex = isShown ? 0 : -1;
      document.getElementById(panel).hidden = !isShown;
    }
    if (isOther) {
      this._shown(name);
    }
  }

  _move(event) {
    const step = STEPS[event.key];
    if (step) {
      const count = this._tabs.length;
      const index = this._tabs.findIndex(each => each === document.activeElement);
      const tab = this._tabs[(index + step + count) % count];
      tab.focus();
      this.show(tab.getAttribute('aria-controls'));
      event.preventDefault();
    }
  }
}
