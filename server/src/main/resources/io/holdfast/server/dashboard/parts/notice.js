/** Sentences that stand out: what went wrong, what to know, and what stands in for what is not there yet. */
import { html, nothing } from 'lit';
import { icon } from './icon.js';
import { sentence } from '../lib/api.js';
import { pieces } from '../lib/text.js';

/** @type {Record<Hf.Tone, string>} */
const DRAWINGS = { 'is-bad': 'warning', 'is-warn': 'warning', 'is-good': 'check', 'is-info': 'info', '': 'info' };

/** @param {Hf.Tone} tone @param {Hf.Content} body */
export function notice(tone, body) {
  return html`<div class="notice ${tone}">${icon(DRAWINGS[tone])}<div>${body}</div></div>`;
}

/**
 * An error in the server's words; nothing if there is none.
 *
 * @param {unknown} error
 * @param {() => void} [retry]
 */
export function problem(error, retry) {
  if (!error) {
    return nothing;
  }
  return html`<div class="notice is-bad" role="alert" data-test="problem">
    ${icon('warning')}
    <div><bdi>${pieces(sentence(error))}</bdi></div>
    ${retry ? html`<button class="button small" @click=${retry}>Try again</button>` : nothing}
  </div>`;
}

/** Stands where something will be; it shows only after a while, so quick answers do not flicker. */
export function skeleton(lines = 5) {
  return html`<div class="skeleton" aria-hidden="true">${Array.from({ length: lines }, () => html`<i></i>`)}</div>
    <p class="only-read" role="status">Loading</p>`;
}

/**
 * What a loader has: the body once there is data, else an error or a placeholder.
 *
 * @template T
 * @param {import('../lib/loader.js').Loader<T>} loader
 * @param {(data: T) => Hf.Content} body
 * @param {number} [lines]
 */
export function loaded(loader, body, lines) {
  if (loader.data !== undefined) {
    return html`${problem(loader.error, () => loader.refresh())}${body(loader.data)}`;
  }
  return loader.error ? problem(loader.error, () => loader.refresh()) : skeleton(lines);
}
