/** Short messages in a corner: what was done, or why it failed. */
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { sentence } from '../lib/api.js';
import { pieces } from '../lib/text.js';

const STAYS_MS = 6_000;
const MOST = 4;

/** @typedef {{ number: number, tone: Hf.Tone, text: string }} Toast */

class Toasts extends HfElement {
  static properties = { all: { state: true } };

  constructor() {
    super();
    /** @type {Toast[]} */
    this.all = [];
    this.number = 0;
  }

  /** @param {Hf.Tone} tone @param {string} text */
  add(tone, text) {
    const toast = { number: ++this.number, tone, text };
    this.all = [...this.all, toast].slice(-MOST);
    // Errors stay until they are closed.
    if (tone !== 'is-bad') {
      setTimeout(() => this.drop(toast), STAYS_MS);
    }
  }

  /** @param {Toast} toast */
  drop(toast) {
    this.all = this.all.filter((other) => other !== toast);
  }

  get box() {
    return /** @type {HTMLElement} */ (this.firstElementChild);
  }

  firstUpdated() {
    this.box.showPopover();
  }

  /** In front of everything, also of a dialog that was opened later. */
  updated() {
    if (this.all.length > 0 && document.querySelector('dialog[open]')) {
      this.box.hidePopover();
      this.box.showPopover();
    }
  }

  render() {
    return html`<div class="toasts" popover="manual" role="status" aria-live="polite">
      ${repeat(
        this.all,
        (toast) => toast.number,
        (toast) =>
          html`<div class="notice ${toast.tone}" data-test="toast">
            ${icon(toast.tone === 'is-bad' ? 'warning' : 'check')}
            <div><bdi>${pieces(toast.text)}</bdi></div>
            <button type="button" class="button quiet only-icon small" aria-label="Close" @click=${() => this.drop(toast)}>
              ${icon('close')}
            </button>
          </div>`,
      )}
    </div>`;
  }
}

customElements.define('hf-toasts', Toasts);

const toasts = () => /** @type {Toasts | null} */ (document.querySelector('hf-toasts'));

/**
 * Says that something was done.
 *
 * @param {string} text
 */
export function say(text) {
  toasts()?.add('is-good', text);
}

/**
 * Says why something was not done.
 *
 * @param {unknown} error
 */
export function complain(error) {
  if (!(error instanceof Error && error.name === 'AbortError')) {
    toasts()?.add('is-bad', sentence(error));
  }
}

/**
 * Does something, and shows the outcome; undefined if it failed.
 *
 * @template T
 * @param {() => Promise<T>} action
 * @param {string} done
 * @returns {Promise<T | true | undefined>}
 */
export async function attempt(action, done) {
  try {
    const result = await action();
    say(done);
    return result ?? true;
  } catch (error) {
    complain(error);
    return undefined;
  }
}
