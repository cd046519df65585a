/** The head of a page, its tabs, and its panels. */
import { html, nothing } from 'lit';
import { problem } from './notice.js';
import { link } from '../lib/route.js';

/** A crumb is {label, href}. */
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

/** A page that could not be loaded. */
export function failedPage(title, error, retry) {
  return html`${pageHead({ title })}${problem(error, retry)}`;
}

/** Tabs are {id, label, tally}; the one that is on is in the address. */
export function tabs(path, query, all, on) {
  return html`<nav class="tabs" aria-label="Parts of this page">
    ${all.map(
      ({ id, label, tally }, at) =>
        html`<a
          href=${link(path, at === 0 ? {} : { tab: id })}
          aria-current=${id === on ? 'page' : nothing}
          data-test="tab-${id}"
          >${label}${tally === undefined ? nothing : html`<span class="tally">${tally}</span>`}</a
        >`,
    )}
  </nav>`;
}

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

/** A choice of a few, of which one is on. */
export function choice(label, all, on, choose) {
  return html`<span class="choice" role="group" aria-label=${label}>
    ${all.map(
      ({ id, word }) =>
        html`<button type="button" aria-pressed=${id === on} data-test="choice-${id}" @click=${() => choose(id)}>${word}</button>`,
    )}
  </span>`;
}

/** A button for an act; without the right to it, it says why. */
export function actButton({ label, drawing, act, kind = '', whyNot = '', test }) {
  return html`<button
    type="button"
    class="button ${kind}"
    ?disabled=${Boolean(whyNot)}
    title=${whyNot || nothing}
    data-test=${test ?? nothing}
    @click=${act}
  >
    ${drawing ?? nothing}${label}
  </button>`;
}
