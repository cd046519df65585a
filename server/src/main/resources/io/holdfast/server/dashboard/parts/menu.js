/** A button that opens a list of acts. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';

const GAP = 4;
const EDGE = 8;
let made = 0;

/**
 * Items are objects: label, icon, act (a function), danger, test, and whyNot, a sentence if it cannot be used now;
 * null draws a line.
 */
class Menu extends HfElement {
  static properties = {
    label: {},
    items: { attribute: false },
    small: { type: Boolean },
    open: { state: true },
  };

  constructor() {
    super();
    this.items = [];
    this.number = ++made;
    this.open = false;
    this.shut = () => this.list.hidePopover();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('scroll', this.shut, { capture: true });
  }

  render() {
    return html`<button
        type="button"
        class="button quiet only-icon ${this.small ? 'small' : ''}"
        aria-label=${this.label}
        title=${this.label}
        aria-haspopup="menu"
        aria-expanded=${this.open}
        data-test="menu"
        @click=${this.toggle}
      >
        ${icon('more')}
      </button>
      <div class="menu" id="menu-${this.number}" popover role="menu" aria-label=${this.label} @toggle=${this.toggled} @keydown=${this.key}>
        ${this.open ? this.items.map((item) => this.item(item)) : nothing}
      </div>`;
  }

  item(item) {
    if (!item) {
      return html`<hr />`;
    }
    return html`<button
      type="button"
      role="menuitem"
      class=${item.danger ? 'danger' : ''}
      ?disabled=${Boolean(item.whyNot)}
      title=${item.whyNot || nothing}
      data-test=${item.test ?? nothing}
      @click=${() => this.choose(item)}
    >
      ${icon(item.icon)}${item.label}
    </button>`;
  }

  get list() {
    return this.querySelector('[popover]');
  }

  async toggle() {
    if (this.open) {
      this.list.hidePopover();
      return;
    }
    this.open = true;
    await this.updateComplete;
    this.list.showPopover();
    this.place();
    this.list.querySelector('button:not(:disabled)')?.focus();
  }

  toggled(event) {
    this.open = event.newState === 'open';
    const listen = this.open ? addEventListener : removeEventListener;
    // It would stay where it is while its button moves away.
    listen('scroll', this.shut, { capture: true, passive: true });
  }

  /** Below the button, or above it where there is no room. */
  place() {
    const button = this.querySelector('button').getBoundingClientRect();
    const list = this.list.getBoundingClientRect();
    const fits = button.bottom + GAP + list.height < innerHeight - EDGE;
    this.list.style.top = `${fits ? button.bottom + GAP : Math.max(EDGE, button.top - GAP - list.height)}px`;
    this.list.style.left = `${Math.max(EDGE, Math.min(button.right - list.width, innerWidth - EDGE - list.width))}px`;
  }

  choose(item) {
    this.list.hidePopover();
    this.querySelector('button').focus();
    item.act();
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) {
      return;
    }
    event.preventDefault();
    const buttons = [...this.list.querySelectorAll('button:not(:disabled)')];
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }
}

customElements.define('hf-menu', Menu);
