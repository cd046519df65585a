/** A trace as an entry of a timeline. */
import { html, nothing } from 'lit';
import { group as groupWord, wholeName } from './words.js';
import './payload.js';
import { toTraces } from '../lib/route.js';

/** How kinds of traces look; others look like info. @type {Record<string, [string, Hf.Tone]>} */
const LOOKS = {
  info: ['info', ''],
  error: ['cross', 'is-bad'],
  warn: ['warning', 'is-warn'],
  warning: ['warning', 'is-warn'],
};

/**
 * @param {Hf.Trace} trace
 * @returns {Hf.TimelineEntry}
 */
export function traceEntry(trace) {
  const [icon, tone] = LOOKS[trace.kind] ?? ['info', ''];
  return {
    title: html`<strong>${wholeName(trace.kind)}</strong>`,
    note: html`${trace.group ? html`by ${groupWord(trace.group)} ` : nothing}${trace.names.map(
      (name) => html`<a class="trace-name" href=${toTraces(name)}>${wholeName(name)}</a> `,
    )}`,
    time: trace.createdAt,
    icon,
    tone,
    more: html`<hf-payload .json=${trace.data}></hf-payload>`,
  };
}
