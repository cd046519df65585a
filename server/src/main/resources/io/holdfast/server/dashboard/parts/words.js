/** Names, ids and times from outside, as they stand in lines and tables. */
import { html } from 'lit';
import { pieces, shown, cut } from '../lib/text.js';
import { ago, moment, fineMoment, fullMoment, millis } from '../lib/format.js';

const LINE_MAX = 400;

/** The default group: competing consumers that name no group. */
export const NO_GROUP = '__QUEUE_MODE__';

/**
 * A name on one line, as long as there is room; its title is all of it.
 *
 * @param {unknown} text
 */
export function name(text) {
  return html`<bdi class="cut" title=${shown(text)}>${pieces(cut(text, LINE_MAX))}</bdi>`;
}

/**
 * A name in full, over several lines if it must.
 *
 * @param {unknown} text
 */
export function wholeName(text) {
  return html`<bdi>${pieces(text)}</bdi>`;
}

/**
 * A name that leads somewhere.
 *
 * @param {unknown} text
 * @param {string} href
 */
export function nameLink(text, href) {
  return html`<a class="cut" href=${href} title=${shown(text)}><bdi>${pieces(cut(text, LINE_MAX))}</bdi></a>`;
}

/**
 * An id, in figures that are all as wide.
 *
 * @param {unknown} text
 * @param {string} [href]
 */
export function id(text, href) {
  const inside = html`<bdi class="mono">${pieces(text)}</bdi>`;
  return href
    ? html`<a class="cut" href=${href} title=${shown(text)}>${inside}</a>`
    : html`<span class="cut" title=${shown(text)}>${inside}</span>`;
}

const SHORT_MIN = 20;

/**
 * An id where room is short: its beginning and its end.
 *
 * @param {unknown} text
 * @param {string} href
 */
export function shortId(text, href) {
  const all = String(text);
  const brief = all.length < SHORT_MIN ? all : `${all.slice(0, 8)}…${all.slice(-6)}`;
  return html`<a class="mono nowrap" href=${href} title=${shown(all)}><bdi>${pieces(brief)}</bdi></a>`;
}

/**
 * A group, in words if it is the default group.
 *
 * @param {unknown} text
 */
export function group(text) {
  return text === NO_GROUP ? html`<span class="muted nowrap" title=${NO_GROUP}>default group</span>` : name(text);
}

/**
 * How long ago something was, or when it will be; its title is the moment.
 *
 * @param {Hf.MaybeTime} time
 */
export function when(time) {
  const ms = millis(time);
  if (ms === null) {
    return html`<span class="muted">–</span>`;
  }
  return html`<time datetime=${new Date(ms).toISOString()} title=${fullMoment(ms)}>${ago(ms)}</time>`;
}

/**
 * A moment; its title is all of it.
 *
 * @param {Hf.MaybeTime} time
 * @param {{ fine?: boolean }} [options]
 */
export function at(time, { fine = false } = {}) {
  const ms = millis(time);
  if (ms === null) {
    return html`<span class="muted">–</span>`;
  }
  return html`<time datetime=${new Date(ms).toISOString()} title=${fullMoment(ms)}>${fine ? fineMoment(ms) : moment(ms)}</time>`;
}

/**
 * A number in a table; 0 is shown muted.
 *
 * @param {number} value
 * @param {(value: number) => string} [format]
 */
export function quietZero(value, format = String) {
  return value === 0 ? html`<span class="zero">0</span>` : format(value);
}

const MOMENT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/**
 * A sentence of the server, with its moments as clocks here show them.
 *
 * @param {unknown} text
 */
export function sentenceWithTimes(text) {
  return String(text)
    .split(MOMENT)
    .map((part, index) => (index % 2 === 1 ? at(part) : pieces(part)));
}
