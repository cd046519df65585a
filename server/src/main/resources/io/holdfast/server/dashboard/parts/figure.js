/** A number with its name, large enough to read from across the room. */
import { html, nothing } from 'lit';

/**
 * @param {object} content
 * @param {string} content.name
 * @param {Hf.Content} content.value
 * @param {string} [content.unit]
 * @param {string} [content.href]
 * @param {{ colour: number, dashed?: boolean }} [content.key] which line of the chart below it is
 * @param {Hf.Content} [content.note]
 * @param {Hf.Tone} [content.tone]
 * @param {string} [content.test]
 */
export function figure({ name, value, unit, href, key, note, tone = '', test }) {
  const inside = html`${value}${unit ? html` <small>${unit}</small>` : nothing}`;
  return html`<div class="figure ${tone}" data-test=${test ?? nothing}>
    <div class="name">
      ${key ? html`<span class="key is-${key.colour} ${key.dashed ? 'is-dashed' : ''}"></span>` : nothing}${name}
    </div>
    ${href ? html`<a class="value" href=${href}>${inside}</a>` : html`<div class="value">${inside}</div>`}
    ${note ? html`<div class="note">${note}</div>` : nothing}
  </div>`;
}

/**
 * A bar that shows how full something is; nothing if that is unknown.
 *
 * @param {number | null} used
 * @param {number} most
 * @param {string} label
 */
export function meter(used, most, label) {
  if (!most || used === null || used === undefined) {
    return nothing;
  }
  const share = Math.min(1, used / most);
  const tone = share > 0.9 ? 'is-bad' : share > 0.75 ? 'is-warn' : '';
  return html`<span class="meter ${tone}" role="img" aria-label="${label}: ${Math.round(share * 100)} %"
    ><i .style=${`width: ${(share * 100).toFixed(1)}%`}></i
  ></span>`;
}
