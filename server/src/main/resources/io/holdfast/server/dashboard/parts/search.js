/** The search of the top bar: goes to a queue by its name, or to a message by its id or transaction id. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { listQueues } from '../api/queues.js';
import { sentence } from '../lib/api.js';
import { findTransaction } from '../lib/find.js';
import { pieces, shown } from '../lib/text.js';
import { count, plural, waits } from '../lib/format.js';
import { go, parse } from '../lib/route.js';

const WAIT_MS = 150;
const FOUND_MOST = 8;
const ID = /^\s*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\s*$/i;

class Search extends HfElement {
  static properties = {
    found: { state: true },
    at: { state: true },
    text: { state: true },
    note: { state: true },
  };

  constructor() {
    super();
    this.text = '';
    /** The queues that match; null while nothing is listed. @type {Hf.QueueRow[] | null} */
    this.found = null;
    this.at = -1;
    /** The result of the search for a transaction id. */
    this.note = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | undefined} */
    this.looking = undefined;
    this.slash = (/** @type {KeyboardEvent} */ event) => this.catchSlash(event);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('keydown', this.slash);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('keydown', this.slash);
  }

  get field() {
    return /** @type {HTMLInputElement} */ (this.querySelector('input'));
  }

  /** @param {KeyboardEvent} event */
  catchSlash(event) {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, dialog, [contenteditable]');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.field.focus();
    }
  }

  /** The queues, and behind them the search for a transaction id. */
  get options() {
    return (this.found?.length ?? 0) + 1;
  }

  render() {
    const isOpen = this.found !== null && this.text.trim() !== '';
    return html`<div class="inner">
        ${icon('search')}
        <input
          type="search"
          role="combobox"
          aria-label="Search for a queue, a message id or a transaction id"
          aria-expanded=${isOpen}
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant=${isOpen && this.at >= 0 ? `found-${this.at}` : nothing}
          placeholder="Queue, message id, transaction id"
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
      ${isOpen ? this.list(this.found ?? []) : nothing}`;
  }

  /** @param {Hf.QueueRow[]} queues */
  list(queues) {
    return html`<div class="found">
      <div id="found" role="listbox" aria-label="Search results">
        ${queues.map((queue, at) =>
          this.option(
            at,
            'found',
            html`<bdi title=${shown(queue.name)}>${pieces(queue.name)}</bdi>
              <span class="muted nowrap">${plural(waits(queue), 'waiting', 'waiting')}</span>`,
          ),
        )}
        ${this.option(
          queues.length,
          'find-transaction',
          html`<bdi>Transaction id ${pieces(this.text.trim())}</bdi>`,
        )}
      </div>
      <div class="muted small note" role="status" data-test="search-note">${this.note || (queues.length === 0 ? 'No queue name contains this.' : nothing)}</div>
    </div>`;
  }

  /** @param {number} at @param {string} test @param {Hf.Content} content */
  option(at, test, content) {
    return html`<div
      id="found-${at}"
      role="option"
      aria-selected=${at === this.at}
      data-test=${test}
      @mousedown=${(/** @type {Event} */ event) => {
        event.preventDefault();
        this.take(at);
      }}
    >
      ${content}
    </div>`;
  }

  /** @param {Hf.FieldEvent} event */
  typed(event) {
    this.text = event.target.value;
    this.at = -1;
    this.note = '';
    this.looking?.abort();
    clearTimeout(this.timer);
    const wanted = this.text.trim();
    if (wanted === '' || ID.test(wanted)) {
      this.found = null;
      return;
    }
    this.timer = setTimeout(() => this.look(wanted), WAIT_MS);
  }

  /** @param {string} wanted */
  async look(wanted) {
    try {
      const { rows } = await listQueues({ search: wanted, limit: FOUND_MOST });
      if (this.text.trim() === wanted) {
        this.found = rows;
      }
    } catch {
      this.found = null;
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'Escape') {
      this.leave();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.enter();
    } else if (this.found && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.at = (Math.max(this.at, step < 0 ? 0 : -1) + step + this.options) % this.options;
    }
  }

  async enter() {
    const wanted = this.text.trim();
    if (wanted === '') {
      return;
    }
    if (ID.test(wanted)) {
      go(['messages', wanted]);
      this.leave();
      return;
    }
    if (this.found === null) {
      // Enter was faster than the list.
      clearTimeout(this.timer);
      await this.look(wanted);
    }
    const exact = this.found?.findIndex(({ name }) => name === wanted) ?? -1;
    const at = this.at >= 0 ? this.at : exact;
    if (at >= 0 || (this.found?.length ?? 0) === 0) {
      this.take(at >= 0 ? at : 0);
    } else {
      go(['queues'], { search: wanted });
      this.leave();
    }
  }

  /** @param {number} at which option */
  take(at) {
    const queue = this.found?.[at];
    if (queue) {
      go(['queues', queue.name]);
      this.leave();
    } else {
      this.findMessage(this.text.trim());
    }
  }

  /** Looks in the queue that is shown first, then in all. @param {string} transactionId */
  async findMessage(transactionId) {
    this.looking?.abort();
    const control = new AbortController();
    this.looking = control;
    this.note = 'Searching…';
    try {
      const { parts } = parse(location.hash);
      const queue = parts[0] === 'queues' ? parts[1] : undefined;
      const here = queue ? await findTransaction(transactionId, queue, control.signal) : undefined;
      const { id, searched, isComplete } = here?.id
        ? here
        : await findTransaction(transactionId, undefined, control.signal);
      if (id) {
        go(['messages', id]);
        this.leave();
      } else {
        this.note = isComplete
          ? 'No message has this transaction id.'
          : `Not found in the ${count(searched)} partitions with most messages. Open its queue and search there.`;
      }
    } catch (error) {
      if (!control.signal.aborted) {
        this.note = sentence(error);
      }
    }
  }

  leave() {
    clearTimeout(this.timer);
    this.looking?.abort();
    this.text = '';
    this.note = '';
    this.found = null;
    this.field.blur();
  }
}

customElements.define('hf-search', Search);
