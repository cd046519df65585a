/** The beginning of a payload, on one line of a table. */
import { html } from 'lit';
import { pieces, cut } from '../lib/text.js';
import { bytes } from '../lib/format.js';

const PREVIEW_MAX = 160;

/** Of a message whose data stayed text. @param {Hf.Payload} payload */
export function preview({ data, dataBase64 }) {
  if (dataBase64) {
    const padding = dataBase64.endsWith('==') ? 2 : dataBase64.endsWith('=') ? 1 : 0;
    return html`<span class="muted">${bytes((dataBase64.length / 4) * 3 - padding)} that are not JSON</span>`;
  }
  return html`<code class="cut"><bdi>${pieces(cut((data ?? 'null').slice(0, PREVIEW_MAX * 2), PREVIEW_MAX))}</bdi></code>`;
}
