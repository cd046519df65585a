/** A payload: laid out if it is JSON, as it was sent if asked for, or as bytes. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { layOut } from '../lib/rawjson.js';
import { shownBlock } from '../lib/text.js';
import { bytes, count } from '../lib/format.js';

/** More tokens than this are shown as they are, without colours. */
const TOKENS_MOST = 6_000;

/** More text than this is shown only when asked for. */
const TEXT_MOST = 200_000;

const HEX_ROW = 16;
const HEX_MOST = 16_384;

/**
 * Bytes as rows of hexadecimal numbers and letters.
 *
 * @param {string} all
 */
function hexRows(all) {
  const rows = [];
  for (let at = 0; at < Math.min(all.length, HEX_MOST); at += HEX_ROW) {
    const part = all.slice(at, at + HEX_ROW);
    const hex = Array.from(part, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
    const letters = Array.from(part, (char) => (char >= ' ' && char <= '~' ? char : '·')).join('');
    rows.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(HEX_ROW * 3)} ${letters}`);
  }
  return rows.join('\n');
}

/**
 * Shows json, which is JSON text as it was sent, or else base64, which is bytes that are not JSON.
 */
class Payload extends HfElement {
  static properties = {
    json: { attribute: false },
    base64: { attribute: false },
    raw: { state: true },
    all: { state: true },
  };

  constructor() {
    super();
    /** @type {string | null | undefined} */
    this.json = undefined;
    /** @type {string | undefined} */
    this.base64 = undefined;
    this.raw = false;
    this.all = false;
    /** @type {string | null} */
    this.bytes = null;
    /** @type {{ kind: string, text: string }[] | null} */
    this.laidOut = null;
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('json') || changed.has('base64')) {
      this.all = false;
      this.bytes = this.base64 ? atob(this.base64) : null;
      this.laidOut = this.bytes === null && this.json ? layOut(this.json, TOKENS_MOST) : null;
    }
  }

  get text() {
    if (this.bytes !== null) {
      return hexRows(this.bytes);
    }
    return this.json ?? 'null';
  }

  get size() {
    return this.bytes === null ? new TextEncoder().encode(this.json ?? 'null').length : this.bytes.length;
  }

  render() {
    const isJson = this.bytes === null;
    return html`<div class="payload" data-test="payload">
      <div class="tools">
        <span class="muted">${isJson ? 'JSON' : 'Bytes that are not JSON'}, ${bytes(this.size)}</span>
        ${
          isJson && this.laidOut
            ? html`<span class="choice" role="group" aria-label="How it is shown">
              ${this.view('Pretty', false)}${this.view('Raw', true)}
            </span>`
            : nothing
        }
        <hf-copy .text=${isJson ? (this.json ?? 'null') : this.base64} label=${isJson ? 'Copy' : 'Copy as Base64'}></hf-copy>
      </div>
      ${isJson && this.laidOut && !this.raw ? this.pretty() : this.plain()}
    </div>`;
  }

  /** @param {string} word @param {boolean} raw */
  view(word, raw) {
    return html`<button type="button" aria-pressed=${this.raw === raw} data-test="payload-${word.toLowerCase()}" @click=${() => (this.raw = raw)}>
      ${word}
    </button>`;
  }

  pretty() {
    return html`<pre tabindex="0" data-test="payload-text">${(this.laidOut ?? []).map(({ kind, text }) =>
      kind === 'mark' ? text : html`<span class="json-${kind}">${shownBlock(text)}</span>`,
    )}</pre>`;
  }

  plain() {
    const { text } = this;
    const isLong = text.length > TEXT_MOST && !this.all;
    return html`<pre class=${this.bytes === null ? 'is-wrapped' : ''} tabindex="0" data-test="payload-text">${shownBlock(isLong ? text.slice(0, TEXT_MOST) : text)}</pre>
      ${
        isLong
          ? html`<p class="muted">
            The first ${count(TEXT_MOST)} characters.
            <button type="button" class="button small" @click=${() => (this.all = true)}>Show all of it</button>
          </p>`
          : nothing
      }
      ${
        this.bytes !== null && this.bytes.length > HEX_MOST
          ? html`<p class="muted">The first ${bytes(HEX_MOST)}; copy to have all.</p>`
          : nothing
      }`;
  }
}

customElements.define('hf-payload', Payload);
