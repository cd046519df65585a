/** The server itself: its build, settings and limits, maintenance, and tokens. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { pageHead, panel } from '../parts/page.js';
import { loaded } from '../parts/notice.js';
import { at, wholeName } from '../parts/words.js';
import './system-checkpoints.js';
import './system-maintenance.js';
import './system-tokens.js';
import { readSystem } from '../api/system.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';
import { bytes, count, duration } from '../lib/format.js';

const EVERY_MS = 10_000;

const LINKS = [
  ['/docs', 'The HTTP interface', 'every route, to read'],
  ['/openapi.json', 'OpenAPI', 'the same for programs'],
  ['/metrics', 'Metrics', 'in Prometheus text'],
  ['/health', 'Health', 'for probes'],
];

/** Names that are no words. */
/** @type {Record<string, string>} */
const NAMES = { os: 'Operating system', vm: 'Virtual machine', arch: 'Architecture' };

/**
 * camelCase as words, without its unit: the value has one.
 *
 * @param {string} key
 */
function words(key) {
  if (key in NAMES) {
    return NAMES[key];
  }
  const spaced = key.replace(/(Ms|Seconds)$/, '').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}

/**
 * A value in the unit that its name ends in.
 *
 * @param {string} key
 * @param {unknown} value
 */
function formatted(key, value) {
  if (value === null || value === '') {
    return html`<span class="muted">none</span>`;
  }
  if (typeof value === 'boolean') {
    return value ? 'on' : 'off';
  }
  if (typeof value !== 'number' || key === 'port') {
    return /(^time|At)$/.test(key) ? at(String(value)) : wholeName(value);
  }
  if (/bytes$/i.test(key)) {
    return bytes(value);
  }
  if (/ms$/i.test(key)) {
    return duration(value);
  }
  return /seconds$/i.test(key) ? duration(value * 1000) : count(value);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isSection = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** @param {[string, unknown][]} entries */
function facts(entries) {
  return html`<dl class="facts body">
    ${entries.map(([key, value]) => html`<dt>${words(key)}</dt><dd>${Array.isArray(value) ? value.join(', ') : formatted(key, value)}</dd>`)}
  </dl>`;
}

class SystemPage extends HfElement {
  constructor() {
    super();
    this.loader = new Loader(this, (signal) => readSystem(signal), { everyMs: EVERY_MS });
    this.loader.want('system');
  }

  render() {
    return html`${pageHead({ title: 'System' })}
      <div class="stack">
        ${loaded(this.loader, (data) => this.sections(data))}
        ${session.isUnlimited ? html`<hf-system-maintenance></hf-system-maintenance>` : nothing}
        ${session.may('admin') && session.isUnlimited ? html`<hf-system-checkpoints></hf-system-checkpoints><hf-system-tokens></hf-system-tokens>` : nothing}
      </div>`;
  }

  /** @param {Record<string, unknown>} data */
  sections(data) {
    const all = Object.entries(data).filter(([key]) => key !== 'links');
    const plain = all.filter(([, value]) => !isSection(value));
    const sections = all.flatMap(([key, value]) => (isSection(value) ? [{ key, entries: Object.entries(value) }] : []));
    return html`<div class="grid system-grid">
      ${panel({ title: 'Server', test: 'server', body: facts(plain) })}
      ${panel({
        title: 'For programs',
        body: html`<ul class="plain links">
          ${LINKS.map(
            ([href, word, text]) =>
              html`<li><a href=${href} target="_blank" rel="noopener">${word} ${icon('link')}</a><span class="muted">${text}</span></li>`,
          )}
        </ul>`,
      })}
      ${sections
        .filter(({ entries }) => entries.length > 0)
        .map(({ key, entries }) => panel({ title: words(key), test: `section-${key}`, body: facts(entries) }))}
    </div>`;
  }
}

customElements.define('hf-system', SystemPage);
