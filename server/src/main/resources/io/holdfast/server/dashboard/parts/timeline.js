/** Events in order, one below the other. */
import { html, nothing } from 'lit';
import { icon } from './icon.js';
import { at } from './words.js';

/** @param {Hf.TimelineEntry[]} entries */
export function timeline(entries) {
  return html`<ol class="timeline" data-test="timeline">
    ${entries.map(
      (entry) =>
        html`<li class="${entry.tone ?? ''} ${entry.open ? 'is-open' : ''}">
          <span class="spot">${icon(entry.icon ?? 'wait')}</span>
          <div class="line">
            <span>${entry.title}</span>
            ${entry.note ? html`<span class="muted">${entry.note}</span>` : nothing}
            ${entry.time ? html`<span class="when">${at(entry.time, { fine: true })}</span>` : nothing}
          </div>
          ${entry.more ? html`<div class="more">${entry.more}</div>` : nothing}
        </li>`,
    )}
  </ol>`;
}
