/** The content of a table without rows: what it would show, and what to do next. */
import { html, nothing } from 'lit';
import { command } from './command.js';

/**
 * @param {object} content
 * @param {Hf.Content} content.title
 * @param {Hf.Content} [content.text]
 * @param {string} [content.line] a command to copy, if one helps
 * @param {Hf.Content} [content.acts] buttons, if any help
 */
export function empty({ title, text, line, acts }) {
  return html`<div class="empty" data-test="empty">
    <h2>${title}</h2>
    ${text ? html`<p>${text}</p>` : nothing} ${line ? command(line) : nothing}
    ${acts ? html`<div class="acts">${acts}</div>` : nothing}
  </div>`;
}
