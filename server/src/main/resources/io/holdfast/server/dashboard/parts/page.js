/** The head of a page, its tabs, and its panels. */
import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { problem } from './notice.js';
import { link } from '../lib/route.js';

/**
 * @param {object} head
 * @param {Hf.Content} head.title
 * @param {{ label: Hf.Content, href: string }} [head.crumb]
 * @param {Hf.Content} [head.sub]
 * @param {Hf.Content} [head.acts]
 */
export function pageHead({ title, crumb, sub, acts }) {
  return html`<div class="page-head">
    <div class="titles">
      ${crumb ? html`<p class="crumbs"><a href=${crumb.href}>${crumb.label}</a></p>` : nothing}
      <h1 tabindex="-1">${title}</h1>
      ${sub ? html`<p class="sub">${sub}</p>` : nothing}
    </div>
    ${acts ? html`<div class="acts">${acts}</div>` : nothing}
  </div>`;
}

/**
 * A page that could not be loaded.
 *
 * @param {Hf.Content} title
 * @param {unknown} error
 * @param {() => void} retry
 */
export function failedPage(title, error, retry) {
  return html`${pageHead({ title })}${problem(error, retry)}`;
}

/** Brings the tab that is on into view, where tabs are wider than the screen. @param {Element} [tab] */
const intoView = (tab) =>
  void requestAnimationFrame(() => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));

const leave = () => {};

/**
 * Tabs; the one that is on is in the address.
 *
 * @param {string[]} path
 * @param {{ id: string, label: string, tally?: string }[]} all
 * @param {string} on
 */
export function tabs(path, all, on) {
  return html`<nav class="tabs" aria-label="Parts of this page">
    ${all.map(
      ({ id, label, tally }, at) =>
        html`<a
          href=${link(path, at === 0 ? {} : { tab: id })}
          aria-current=${id === on ? 'page' : nothing}
          data-test="tab-${id}"
          ${ref(id === on ? intoView : leave)}
          >${label}${tally === undefined ? nothing : html`<span class="tally">${tally}</span>`}</a
        >`,
    )}
  </nav>`;
}

/**
 * @param {object} content
 * @param {Hf.Content} [content.title]
 * @param {Hf.Content} [content.acts]
 * @param {Hf.Content} content.body
 * @param {Hf.Content} [content.note]
 * @param {string} [content.test]
 */
export function panel({ title, acts, body, note, test }) {
  return html`<section class="panel" data-test=${test ?? nothing}>
    ${
      title
        ? html`<header>
          <h2>${title}</h2>
          ${note ? html`<span class="muted small">${note}</span>` : nothing}
          ${acts ? html`<div class="acts">${acts}</div>` : nothing}
        </header>`
        : nothing
    }
    ${body}
  </section>`;
}

/**
 * A choice of a few, of which one is on.
 *
 * @param {string} label
 * @param {{ id: string, word: string }[]} all
 * @param {string} on
 * @param {(id: string) => void} choose
 */
export function choice(label, all, on, choose) {
  return html`<span class="choice" role="group" aria-label=${label}>
    ${all.map(
      ({ id, word }) =>
        html`<button type="button" aria-pressed=${id === on} data-test="choice-${id}" @click=${() => choose(id)}>${word}</button>`,
    )}
  </span>`;
}
