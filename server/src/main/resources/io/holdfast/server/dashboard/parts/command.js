/** A line for a terminal, and the button that copies something. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { routeOf } from '../lib/api.js';
import { session } from '../lib/session.js';
import { shownBlock } from '../lib/text.js';

const SAID_MS = 1_500;

/** A button that copies a text. */
class CopyButton extends HfElement {
  static properties = {
    text: { attribute: false },
    label: {},
    wordless: { type: Boolean },
    copied: { state: true },
  };

  constructor() {
    super();
    this.text = '';
    this.label = 'Copy';
    this.wordless = false;
    this.copied = false;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text);
    } catch {
      // No clipboard over plain HTTP from another machine: the old way still works there.
      const area = document.createElement('textarea');
      area.value = this.text;
      (this.closest('dialog') ?? document.body).append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    this.copied = true;
    setTimeout(() => (this.copied = false), SAID_MS);
  }

  render() {
    const word = this.copied ? 'Copied' : this.label;
    return html`<button
      type="button"
      class="button small ${this.wordless ? 'quiet only-icon' : ''}"
      aria-label=${word}
      title=${this.wordless ? word : nothing}
      data-test="copy"
      @click=${this.copy}
    >
      ${icon(this.copied ? 'check' : 'copy')}${this.wordless ? nothing : word}
    </button>`;
  }
}

customElements.define('hf-copy', CopyButton);

/**
 * A line for a terminal, to copy.
 *
 * @param {string} line
 */
export function command(line) {
  return html`<div class="command"><code tabindex="0">${shownBlock(line)}</code><hf-copy .text=${line} label="Copy the line" wordless></hf-copy></div>`;
}

/**
 * A text as a shell takes it for one word.
 *
 * @param {unknown} text
 */
const quoted = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

/**
 * A call of the server for a terminal.
 *
 * @param {string[]} path the parts of the route
 * @param {{ query?: Hf.Query, body?: unknown }} [options]
 */
export function curl(path, { query, body } = {}) {
  // In quotes, because of & and of what names may hold.
  const url = quoted(location.origin + routeOf(path, query).replaceAll("'", '%27'));
  const token = session.isGuarded ? ' -H "Authorization: Bearer $HOLDFAST_TOKEN"' : '';
  return `curl${token} ${url}${body === undefined ? '' : ` -d ${quoted(JSON.stringify(body))}`}`;
}
