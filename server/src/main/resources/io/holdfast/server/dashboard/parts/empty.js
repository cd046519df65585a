/** What a table says when it has no rows: what would be there, and what to do next. */
import { html, nothing } from 'lit';
import { command } from './command.js';

/**
 * @param line a command to copy, if one helps
 * @param acts buttons, if any help
 */
export function empty({ title, text, line, acts }) {
  return html`<div class="empty" data-test="empty">
    <h2>${title}</h2>
    ${text ? html`<p>${text}</p>` : nothing} ${line ? command(line) : nothing}
    ${acts ? html`<div class="acts">${acts}</div>` : nothing}
  </div>`;
}
