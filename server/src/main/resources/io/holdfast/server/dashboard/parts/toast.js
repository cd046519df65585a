/** Short news in a corner: what was done, or why it was not. */
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { sentence } from '../lib/api.js';
import { pieces } from '../lib/text.js';

const STAYS_MS = 6_000;
const MOST = 4;

class Toasts extends HfElement {
  static properties = { all: { state: true } };

  constructor() {
    super();
    this.all = [];
    this.number = 0;
  }

  add(tone, text) {
    const toast = { number: ++this.number, tone, text };
    this.all = [...this.all, toast].slice(-MOST);
    // What went wrong stays until somebody has read it.
    if (tone !== 'is-bad') {
      setTimeout(() => this.drop(toast), STAYS_MS);
    }
  }

  drop(toast) {
    this.all = this.all.filter((other) => other !== toast);
  }

  firstUpdated() {
    this.firstElementChild.showPopover();
  }

  /** In front of everything, also of a dialog that was opened later. */
  updated() {
    if (this.all.length > 0 && document.querySelector('dialog[open]')) {
      this.firstElementChild.hidePopover();
      this.firstElementChild.showPopover();
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

const toasts = () => document.querySelector('hf-toasts');

/** Says that something was done. */
export function say(text) {
  toasts()?.add('is-good', text);
}

/** Says why something was not done. */
export function complain(error) {
  if (error?.name !== 'AbortError') {
    toasts()?.add('is-bad', sentence(error));
  }
}

/** Does something, and says what came of it; undefined if it went wrong. */
export async function attempt(action, done) {
  try {
    const result = await action();
    say(typeof done === 'function' ? done(result) : done);
    return result ?? true;
  } catch (error) {
    complain(error);
    return undefined;
  }
}
