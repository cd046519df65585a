/** A button that opens a list of acts. Keys: arrows, Home, End, Escape, and the first letters of an act. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';

const GAP = 4;
const EDGE = 8;
const TYPED_MS = 700;
let made = 0;

/** Items that are null draw a line. One that cannot be used now shows why below its name. */
class Menu extends HfElement {
  static properties = {
    label: {},
    items: { attribute: false },
    small: { type: Boolean },
    open: { state: true },
  };

  constructor() {
    super();
    this.label = '';
    /** @type {(Hf.MenuItem | null)[]} */
    this.items = [];
    this.small = false;
    this.number = ++made;
    this.open = false;
    this.typed = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
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
        @keydown=${this.buttonKey}
      >
        ${icon('more')}
      </button>
      <div class="menu" id="menu-${this.number}" popover role="menu" aria-label=${this.label} @toggle=${this.toggled} @keydown=${this.key}>
        ${this.open ? this.items.map((item) => this.item(item)) : nothing}
      </div>`;
  }

  /** @param {Hf.MenuItem | null} item */
  item(item) {
    if (!item) {
      return html`<hr role="separator" />`;
    }
    return html`<button
      type="button"
      role="menuitem"
      tabindex="-1"
      class=${item.danger ? 'danger' : ''}
      aria-disabled=${item.whyNot ? 'true' : nothing}
      data-test=${item.test ?? nothing}
      @click=${() => this.choose(item)}
    >
      ${icon(item.icon)}<span>${item.label}${item.whyNot ? html`<span class="reason">${item.whyNot}</span>` : nothing}</span>
    </button>`;
  }

  get list() {
    return /** @type {HTMLElement} */ (this.querySelector('[popover]'));
  }

  get opener() {
    return /** @type {HTMLElement} */ (this.querySelector('button'));
  }

  get buttons() {
    return /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll('[role=menuitem]')]);
  }

  async toggle() {
    if (this.open) {
      this.list.hidePopover();
    } else {
      await this.unfold();
      this.buttons[0]?.focus();
    }
  }

  async unfold() {
    this.open = true;
    await this.updateComplete;
    this.list.showPopover();
    this.place();
  }

  /** Arrows open the menu at its first or last act. @param {KeyboardEvent} event */
  async buttonKey(event) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      await this.unfold();
      this.buttons.at(event.key === 'ArrowDown' ? 0 : -1)?.focus();
    }
  }

  /** @param {ToggleEvent} event */
  toggled(event) {
    this.open = event.newState === 'open';
    const listen = this.open ? addEventListener : removeEventListener;
    // It would stay where it is while its button moves away.
    listen('scroll', this.shut, { capture: true, passive: true });
  }

  /** Below the button, or above it where there is no room. */
  place() {
    const button = this.opener.getBoundingClientRect();
    const list = this.list.getBoundingClientRect();
    const fits = button.bottom + GAP + list.height < innerHeight - EDGE;
    this.list.style.top = `${fits ? button.bottom + GAP : Math.max(EDGE, button.top - GAP - list.height)}px`;
    this.list.style.left = `${Math.max(EDGE, Math.min(button.right - list.width, innerWidth - EDGE - list.width))}px`;
  }

  /** @param {Hf.MenuItem} item */
  choose(item) {
    if (item.whyNot) {
      return;
    }
    this.list.hidePopover();
    this.opener.focus();
    item.act();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { buttons } = this;
    const at = buttons.findIndex((button) => button === document.activeElement);
    const count = buttons.length;
    const to = { ArrowDown: (at + 1) % count, ArrowUp: (at - 1 + count) % count, Home: 0, End: count - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      buttons[to]?.focus();
    } else if (event.key === 'Tab') {
      this.list.hidePopover();
      this.opener.focus();
    } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.typeAhead(event.key.toLowerCase(), at);
    }
  }

  /**
   * Focuses the next act that begins with the typed letters; the same letter again focuses the one after it.
   *
   * @param {string} letter
   * @param {number} at
   */
  typeAhead(letter, at) {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => (this.typed = ''), TYPED_MS);
    this.typed = this.typed === letter ? letter : this.typed + letter;
    const { buttons } = this;
    // A single letter looks behind the act that has the focus, more letters look at that one too.
    const from = this.typed.length === 1 ? at + 1 : Math.max(0, at);
    const inOrder = [...buttons.slice(from), ...buttons.slice(0, from)];
    inOrder.find((button) => (button.textContent ?? '').trim().toLowerCase().startsWith(this.typed))?.focus();
  }
}

customElements.define('hf-menu', Menu);
