/** The life of a message for one group, as entries of a timeline. */
import { html, nothing } from 'lit';
import { duration, millis } from './format.js';
import { shownBlock } from './text.js';
import { name } from '../parts/words.js';

const CAUSES = {
  nacked: 'failed',
  expired: 'was held until its lease ran out',
  killed: 'was given up',
  waited_too_long: 'waited too long',
};

const errorText = (text) => html`<div class="error-text">${shownBlock(text)}</div>`;

/** A failed delivery. */
export function attemptEntry({ number, attempt, cause, worker, leasedAt, endedAt, error }) {
  const took = millis(leasedAt) && millis(endedAt) ? millis(endedAt) - millis(leasedAt) : null;
  const by = worker ? html`by ${name(worker)}` : nothing;
  const after = took === null ? '' : `${worker ? ', ' : ''}after ${duration(took)}`;
  return {
    title: html`<strong>Delivery ${number ?? attempt}</strong> ${CAUSES[cause] ?? cause}`,
    note: html`${by}${after}`,
    time: endedAt,
    icon: cause === 'expired' ? 'wait' : 'cross',
    tone: cause === 'nacked' || cause === 'expired' ? 'is-warn' : 'is-bad',
    more: error ? errorText(error) : undefined,
  };
}

const NOW = {
  delayed: (group) => ({
    title: 'Delayed',
    note: group.visibleAt ? 'until its time comes' : '',
    time: group.visibleAt,
    icon: 'wait',
    tone: 'is-info',
    open: true,
  }),
  waiting: () => ({ title: 'Waits to be delivered', icon: 'wait', open: true }),
  returned: (group) => ({
    title: 'Came back, and will be delivered again',
    time: group.visibleAt,
    icon: 'again',
    tone: 'is-warn',
    open: true,
  }),
  in_flight: (group) => ({
    title: html`<strong>In flight</strong>`,
    note: group.worker ? html`with ${name(group.worker)}` : 'with a worker that did not tell its name',
    icon: 'play',
    tone: 'is-info',
  }),
  settled: () => ({ title: html`<strong>Settled</strong>`, icon: 'check', tone: 'is-good' }),
  dead: () => ({
    title: html`<strong>Dead letter</strong>`,
    note: 'kept whole until it is requeued or removed',
    icon: 'dead',
    tone: 'is-bad',
  }),
};

/** From the push to where it is now. */
export function lifeOf(message, group) {
  const wasDelayed = millis(message.visibleAt) > millis(message.createdAt) + 1000;
  return [
    { title: html`<strong>Pushed</strong>`, time: message.createdAt, icon: 'send' },
    ...(wasDelayed && group.state !== 'delayed'
      ? [{ title: 'Became visible', time: message.visibleAt, icon: 'wait' }]
      : []),
    ...group.attempts.map(attemptEntry),
    (NOW[group.state] ?? (() => ({ title: group.state })))(group),
  ];
}
