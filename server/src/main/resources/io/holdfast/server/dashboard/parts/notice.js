/** Sentences that stand out: what went wrong, what to know, and what stands in for what is not there yet. */
import { html, nothing } from 'lit';
import { icon } from './icon.js';
import { sentence } from '../lib/api.js';
import { pieces } from '../lib/text.js';

const DRAWINGS = { 'is-bad': 'warning', 'is-warn': 'warning', 'is-good': 'check', '': 'info' };

export function notice(tone, body) {
  return html`<div class="notice ${tone}">${icon(DRAWINGS[tone])}<div>${body}</div></div>`;
}

/** What the server refused, in its own words; nothing if nothing went wrong. */
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

/** What a loader has: the body once it is there, else what is known instead. */
export function loaded(loader, body, lines) {
  if (loader.data !== undefined) {
    return html`${problem(loader.error, () => loader.refresh())}${body(loader.data)}`;
  }
  return loader.error ? problem(loader.error, () => loader.refresh()) : skeleton(lines);
}
