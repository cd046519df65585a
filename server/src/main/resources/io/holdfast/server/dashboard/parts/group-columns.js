/** The columns of tables of groups. */
import { html } from 'lit';
import { count, duration } from '../lib/format.js';
import { badge } from './badge.js';
import { group, nameLink, quietZero, when } from './words.js';
import { toDead, toQueue } from '../lib/route.js';

/** The server's Dead is of a group that nobody reads, not of its messages. */
const stateOf = (row) => (row.state === 'Dead' ? 'Idle' : row.state);

/** What a group begins with that does not begin with all that is stored. */
const MODES = { new: 'with new ones', timestamp: 'from a time' };

/**
 * @param withQueue whether rows are of several queues
 * @param menu makes the acts of a row
 */
export function groupColumns({ withQueue, menu }) {
  return [
    { label: 'Group', main: true, wide: true, cell: (row) => group(row.name) },
    ...(withQueue ? [{ label: 'Queue', cell: (row) => nameLink(row.queueName, toQueue(row.queueName)) }] : []),
    { label: 'State', tight: true, cell: (row) => badge(stateOf(row)) },
    { label: 'Lag', num: true, hint: 'Messages it has still to settle', cell: (row) => quietZero(row.totalLag, count) },
    {
      label: 'Behind',
      num: true,
      hint: 'How long the oldest of them has been there',
      cell: (row) => (row.maxTimeLag ? duration(row.maxTimeLag * 1000) : html`<span class="zero">–</span>`),
    },
    { label: 'Waiting', num: true, cell: (row) => quietZero(row.waiting, count) },
    { label: 'Came back', num: true, cell: (row) => quietZero(row.returned, count) },
    { label: 'In flight', num: true, cell: (row) => quietZero(row.inFlight, count) },
    { label: 'Leases', num: true, cell: (row) => quietZero(row.members, count) },
    {
      label: 'Dead',
      num: true,
      cell: (row) =>
        row.deadLetters
          ? html`<a href=${toDead({ queue: row.queueName, group: row.name })}>${count(row.deadLetters)}</a>`
          : quietZero(0),
    },
    {
      label: 'Made',
      num: true,
      hint: 'When it was made, and what it began with',
      cell: (row) =>
        html`${when(row.subscriptionCreatedAt)}${row.subscriptionMode === 'all' ? '' : html`<br /><span class="muted small">${MODES[row.subscriptionMode]}</span>`}`,
    },
    { label: 'Acts', bare: true, tight: true, cell: menu },
  ];
}
