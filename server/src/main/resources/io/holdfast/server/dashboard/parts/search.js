/** The search of the top bar: goes to a queue by its name, or to a message by its id. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { pieces, shown } from '../lib/text.js';
import { plural, waits } from '../lib/format.js';
import { get } from '../lib/api.js';
import { go } from '../lib/route.js';

const WAIT_MS = 150;
const FOUND_MOST = 8;
const ID = /^\s*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\s*$/i;

class Search extends HfElement {
  static properties = {
    found: { state: true },
    at: { state: true },
    text: { state: true },
  };

  constructor() {
    super();
    this.text = '';
    this.found = null;
    this.at = -1;
    this.slash = (event) => this.catchSlash(event);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('keydown', this.slash);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('keydown', this.slash);
  }

  catchSlash(event) {
    const isTyping = event.target.closest?.('input, textarea, select, dialog, [contenteditable]');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.querySelector('input').focus();
    }
  }

  render() {
    const isOpen = this.found !== null && this.text.trim() !== '';
    return html`<div class="inner">
        ${icon('search')}
        <input
          type="search"
          role="combobox"
          aria-label="Search for a queue or a message id"
          aria-expanded=${isOpen}
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant=${isOpen && this.at >= 0 ? `found-${this.at}` : nothing}
          placeholder="Queue or message id"
          autocomplete="off"
          spellcheck="false"
          data-test="search"
          .value=${this.text}
          @input=${this.typed}
          @keydown=${this.key}
          @blur=${() => (this.found = null)}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      ${isOpen ? this.list() : nothing}`;
  }

  list() {
    return html`<div class="found" id="found" role="listbox" aria-label="Found">
      ${
        this.found.length === 0
          ? html`<div class="muted small" role="status">No queue has this in its name. Enter looks for a message.</div>`
          : this.found.map(
              (queue, at) =>
                html`<div
                id="found-${at}"
                role="option"
                aria-selected=${at === this.at}
                data-test="found"
                @mousedown=${(event) => this.take(event, queue)}
              >
                <bdi title=${shown(queue.name)}>${pieces(queue.name)}</bdi>
                <span class="muted nowrap">${plural(waits(queue), 'waiting', 'waiting')}</span>
              </div>`,
            )
      }
    </div>`;
  }

  typed(event) {
    this.text = event.target.value;
    this.at = -1;
    clearTimeout(this.timer);
    const wanted = this.text.trim();
    if (wanted === '' || ID.test(wanted)) {
      this.found = null;
      return;
    }
    this.timer = setTimeout(() => this.look(wanted), WAIT_MS);
  }

  async look(wanted) {
    try {
      const { queues } = await get(['status', 'queues'], { query: { search: wanted, limit: FOUND_MOST } });
      if (this.text.trim() === wanted) {
        this.found = queues;
      }
    } catch {
      this.found = null;
    }
  }

  key(event) {
    if (event.key === 'Escape') {
      this.leave();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.enter();
    } else if (this.found?.length && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.at = (this.at + step + this.found.length) % this.found.length;
    }
  }

  enter() {
    const wanted = this.text.trim();
    if (wanted === '') {
      return;
    }
    const picked = this.found?.[this.at] ?? this.found?.find(({ name }) => name === wanted);
    if (picked) {
      go(['queues', picked.name]);
    } else if (ID.test(wanted)) {
      go(['messages', wanted]);
    } else {
      go(['queues'], { search: wanted });
    }
    this.leave();
  }

  take(event, queue) {
    event.preventDefault();
    go(['queues', queue.name]);
    this.leave();
  }

  leave() {
    clearTimeout(this.timer);
    this.text = '';
    this.found = null;
    this.querySelector('input').blur();
  }
}

customElements.define('hf-search', Search);
