/** The foot of a table: which rows these are, and the way to others. */
import { html, nothing } from 'lit';
import { icon } from './icon.js';
import { count } from '../lib/format.js';

/** Pages by offset, where the server knows how many rows there are in all. */
export function offsetPager({ offset, limit, shown, total, to }) {
  if (total === 0) {
    return nothing;
  }
  const isLast = offset + shown >= total;
  return html`<nav class="pager" aria-label="Pages of the table">
    <span data-test="pager-text">${count(offset + 1)}–${count(offset + shown)} of ${count(total)}</span>
    ${
      offset === 0 && isLast
        ? nothing
        : html`<span class="acts">
          ${step('Previous page', 'Previous', 'pager-previous', offset > 0 && (() => to(Math.max(0, offset - limit))))}
          ${step('Next page', 'Next', 'pager-next', !isLast && (() => to(offset + limit)))}
        </span>`
    }
  </nav>`;
}

/**
 * Pages by a mark that the server gave for the next one; trail holds the marks of the pages before.
 *
 * @param note what is known of how many there are
 */
export function trailPager({ shown, trail, next, to, note }) {
  if (trail.length === 0 && !next && !note) {
    return nothing;
  }
  return html`<nav class="pager" aria-label="Pages of the table">
    <span data-test="pager-text">${note ?? html`${count(shown)} on page ${count(trail.length + 1)}`}</span>
    ${
      trail.length === 0 && !next
        ? nothing
        : html`<span class="acts">
          ${step('Previous page', 'Previous', 'pager-previous', trail.length > 0 && (() => to(trail.slice(0, -1))))}
          ${step('Next page', 'Next', 'pager-next', next && (() => to([...trail, next])))}
        </span>`
    }
  </nav>`;
}

function step(label, word, test, action) {
  const drawing = word === 'Next' ? html`${word}${icon('next')}` : html`${icon('previous')}${word}`;
  return html`<button
    type="button"
    class="button small"
    aria-label=${label}
    data-test=${test}
    ?disabled=${!action}
    @click=${action || nothing}
  >
    ${drawing}
  </button>`;
}
