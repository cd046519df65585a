/** The foot of a table: which rows these are, and the way to others. */
import { html, nothing } from 'lit';
import { actButton } from './button.js';
import { icon } from './icon.js';
import { count } from '../lib/format.js';

/**
 * Pages by offset, where the server knows how many rows there are in all.
 *
 * @param {{ offset: number, limit: number, shown: number, total: number, to: (offset: number) => void }} page
 */
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
          ${step('Previous', offset > 0 ? () => to(Math.max(0, offset - limit)) : undefined)}
          ${step('Next', isLast ? undefined : () => to(offset + limit))}
        </span>`
    }
  </nav>`;
}

/**
 * Pages by a cursor that the server gave for the next one; trail holds the cursors of the pages before.
 *
 * @param {object} page
 * @param {number} page.shown
 * @param {string[]} page.trail
 * @param {string | null | undefined} page.next
 * @param {(marks: string[]) => void} page.to
 * @param {Hf.Content} [page.note] what is known of how many there are
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
          ${step('Previous', trail.length > 0 ? () => to(trail.slice(0, -1)) : undefined)}
          ${step('Next', next ? () => to([...trail, next]) : undefined)}
        </span>`
    }
  </nav>`;
}

/** @param {'Next' | 'Previous'} word @param {(() => void) | undefined} act */
function step(word, act) {
  return actButton({
    label: word === 'Next' ? html`${word}${icon('next')}` : html`${icon('previous')}${word}`,
    title: `${word} page`,
    kind: 'small',
    whyNot: act ? '' : word === 'Next' ? 'This is the last page.' : 'This is the first page.',
    test: `pager-${word.toLowerCase()}`,
    act: act ?? (() => {}),
  });
}
