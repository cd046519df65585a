/** The life of a message for one group, as entries of a timeline. */
import { html, nothing } from 'lit';
import { duration, millis } from './format.js';
import { shownBlock } from './text.js';
import { name } from '../parts/words.js';

/** @type {Record<string, string>} */
const CAUSES = {
  nacked: 'failed',
  expired: 'was held until its lease expired',
  killed: 'was rejected',
  waited_too_long: 'waited too long',
};

/** @param {string} text */
const errorText = (text) => html`<div class="error-text">${shownBlock(text)}</div>`;

/**
 * A failed delivery.
 *
 * @param {Hf.Attempt} attempt
 * @returns {Hf.TimelineEntry}
 */
export function attemptEntry({ number, cause, worker, leasedAt, endedAt, error }) {
  const from = millis(leasedAt);
  const to = millis(endedAt);
  const took = from && to ? to - from : null;
  const by = worker ? html`by ${name(worker)}` : nothing;
  const after = took === null ? '' : `${worker ? ', ' : ''}after ${duration(took)}`;
  return {
    title: html`<strong>Delivery ${number}</strong> ${CAUSES[cause] ?? cause}`,
    note: html`${by}${after}`,
    time: endedAt,
    icon: cause === 'expired' ? 'wait' : 'cross',
    tone: cause === 'nacked' || cause === 'expired' ? 'is-warn' : 'is-bad',
    more: error ? errorText(error) : undefined,
  };
}

/** @type {Record<Hf.MessageState, (group: Hf.MessageGroup) => Hf.TimelineEntry>} */
const NOW = {
  delayed: (group) => ({
    title: 'Delayed',
    note: group.visibleAt ? 'until its time comes' : '',
    time: group.visibleAt,
    icon: 'wait',
    tone: 'is-info',
    open: true,
  }),
  waiting: () => ({ title: 'Waiting to be delivered', icon: 'wait', open: true }),
  returned: (group) => ({
    title: 'Returned, and will be delivered again',
    time: group.visibleAt,
    icon: 'again',
    tone: 'is-warn',
    open: true,
  }),
  in_flight: (group) => ({
    title: html`<strong>In flight</strong>`,
    note: group.worker ? html`with ${name(group.worker)}` : 'with a worker without a name',
    icon: 'play',
    tone: 'is-info',
  }),
  settled: () => ({ title: html`<strong>Settled</strong>`, icon: 'check', tone: 'is-good' }),
  dead: () => ({
    title: html`<strong>Dead letter</strong>`,
    note: 'kept until it is requeued or removed',
    icon: 'dead',
    tone: 'is-bad',
  }),
};

/**
 * From the push to where it is now.
 *
 * @param {Hf.Message} message
 * @param {Hf.MessageGroup} group
 * @returns {Hf.TimelineEntry[]}
 */
export function lifeOf(message, group) {
  const wasDelayed = (millis(message.visibleAt) ?? 0) > (millis(message.createdAt) ?? 0) + 1000;
  return [
    { title: html`<strong>Pushed</strong>`, time: message.createdAt, icon: 'send' },
    ...(wasDelayed && group.state !== 'delayed'
      ? [{ title: 'Became visible', time: message.visibleAt, icon: 'wait' }]
      : []),
    ...group.attempts.map(attemptEntry),
    (NOW[group.state] ?? (() => ({ title: group.state })))(group),
  ];
}
