/** Small drawings, in the colour of the text around them. A word always stands beside or behind one. */
import { svg, html } from 'lit';

/** The address of the logo, with the version of the files. */
export const LOGO = new URL('../icon.svg', import.meta.url).pathname;

/** @type {Record<string, unknown>} */
const DRAWINGS = {
  overview: svg`<path d="M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6"/>`,
  queues: svg`<path d="M2.5 4h11M2.5 8h11M2.5 12h7"/>`,
  dead: svg`<path d="M2.5 5.5h11v7.5h-11zM2.5 5.5l1.5-3h8l1.5 3M6 9h4"/>`,
  tasks: svg`<path d="M2.5 4.2l1.2 1.2 2-2.4M2.5 11l1.2 1.2 2-2.4M8.5 4.5h5M8.5 11.5h5"/>`,
  flows: svg`<circle cx="4" cy="4" r="1.7"/><circle cx="12" cy="8" r="1.7"/><circle cx="4" cy="12" r="1.7"/><path d="M5.7 4h1.8c1 0 1.5.6 1.8 1.6l.7 1.2M5.7 12h1.8c1 0 1.5-.6 1.8-1.6l.7-1.2"/>`,
  groups: svg`<circle cx="6" cy="5.5" r="2.3"/><path d="M1.8 13c.3-2.4 2-3.8 4.2-3.8s3.9 1.4 4.2 3.8M10.6 3.5a2.2 2.2 0 0 1 0 4.1M12 9.7c1.2.5 2 1.7 2.2 3.3"/>`,
  records: svg`<path d="M3 3.2h10v9.6H3zM3 6.4h10M3 9.6h10M6.5 6.4v6.4"/>`,
  traces: svg`<path d="M2.5 8.5h2.4l1.8-5 2.7 9 1.7-4h2.4"/>`,
  tail: svg`<path d="M2.5 4h8M2.5 7.5h8M2.5 11h4M11.5 9.5v4M9.5 11.5l2 2 2-2"/>`,
  system: svg`<rect x="2.5" y="2.8" width="11" height="4" rx="1"/><rect x="2.5" y="9.2" width="11" height="4" rx="1"/><path d="M5 4.8h.01M5 11.2h.01"/>`,
  search: svg`<circle cx="7" cy="7" r="4.3"/><path d="M10.3 10.3l3.2 3.2"/>`,
  menu: svg`<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>`,
  auto: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor"/>`,
  light: svg`<circle cx="8" cy="8" r="2.8"/><path d="M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9"/>`,
  dark: svg`<path d="M13 9.8A5.5 5.5 0 0 1 6.2 3a5.5 5.5 0 1 0 6.8 6.8z"/>`,
  leave: svg`<path d="M6.5 2.5h-3v11h3M10 5l3 3-3 3M13 8H6.5"/>`,
  close: svg`<path d="M4 4l8 8M12 4l-8 8"/>`,
  check: svg`<path d="M3 8.5l3.2 3.2L13 4.8"/>`,
  cross: svg`<path d="M4.5 4.5l7 7M11.5 4.5l-7 7"/>`,
  warning: svg`<path d="M8 2.3l6 11H2zM8 6.5v3.2M8 11.6v.01"/>`,
  info: svg`<circle cx="8" cy="8" r="5.7"/><path d="M8 7.3v3.7M8 5v.01"/>`,
  wait: svg`<circle cx="8" cy="8" r="5.7"/><path d="M8 4.7V8l2.2 1.5"/>`,
  pause: svg`<path d="M5.5 3.5v9M10.5 3.5v9"/>`,
  play: svg`<path d="M5 3l8 5-8 5z"/>`,
  back: svg`<path d="M13 8H3.5M7 4L3 8l4 4"/>`,
  again: svg`<path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.7h-2.7"/>`,
  hand: svg`<path d="M2.5 8.5h7M6.5 5l3.5 3.5L6.5 12M13.5 3v10"/>`,
  more: svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.4"/>`,
  plus: svg`<path d="M8 3v10M3 8h10"/>`,
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.2"/><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/>`,
  down: svg`<path d="M8 3v10M4 9l4 4 4-4"/>`,
  bin: svg`<path d="M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.8 7v4M9.2 7v4"/>`,
  edit: svg`<path d="M10.8 2.8l2.4 2.4-7.7 7.7-3 .6.6-3z"/>`,
  gear: svg`<path d="M2.5 4.5h6M12.5 4.5h1M2.5 11.5h1M7.5 11.5h6"/><circle cx="10.5" cy="4.5" r="1.8"/><circle cx="5.5" cy="11.5" r="1.8"/>`,
  key: svg`<circle cx="5.5" cy="10.5" r="2.8"/><path d="M7.6 8.4l5.4-5.4M10.5 5.5l2 2"/>`,
  stop: svg`<circle cx="8" cy="8" r="5.7"/><path d="M4.1 4.1l7.8 7.8"/>`,
  send: svg`<path d="M2.5 8L13.5 3l-3 10.5-3-4.5z"/>`,
  next: svg`<path d="M6 3.5L10.5 8 6 12.5"/>`,
  previous: svg`<path d="M10 3.5L5.5 8l4.5 4.5"/>`,
  up: svg`<path d="M8 13V3M4 7l4-4 4 4"/>`,
  link: svg`<path d="M9.5 3h3.5v3.5M13 3L7.5 8.5M11.5 9.5V13h-8.5V4.5h3.5"/>`,
};

/**
 * A drawing by its name; hidden from screen readers, because a word beside it means the same.
 *
 * @param {string} name
 */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${DRAWINGS[name]}</svg>`;
}
