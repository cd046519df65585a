/** The columns of tables of groups. */
import { html } from 'lit';
import { count, duration } from '../lib/format.js';
import { badge } from './badge.js';
import { group, nameLink, quietZero, when } from './words.js';
import { toDead, toQueue } from '../lib/route.js';

/** Where a group began that did not begin with all stored messages. */
/** @type {Record<string, string>} */
const MODES = { new: 'new messages only', timestamp: 'from a time' };

/**
 * @param {object} options
 * @param {boolean} options.withQueue whether rows are of several queues
 * @param {(row: Hf.GroupRow) => Hf.Content} options.menu makes the acts of a row
 * @returns {Hf.Column<Hf.GroupRow>[]}
 */
export function groupColumns({ withQueue, menu }) {
  return [
    { label: 'Group', main: true, wide: true, cell: (row) => group(row.name) },
    ...(withQueue ? [{ label: 'Queue', cell: (/** @type {Hf.GroupRow} */ row) => nameLink(row.queue, toQueue(row.queue)) }] : []),
    { label: 'State', tight: true, cell: (row) => badge(row.state) },
    { label: 'Lag', num: true, hint: 'Messages that it has not settled', cell: (row) => quietZero(row.lag, count) },
    {
      label: 'Behind',
      num: true,
      hint: 'Age of the oldest of them',
      cell: (row) => (row.behindMs ? duration(row.behindMs) : html`<span class="zero">–</span>`),
    },
    { label: 'Waiting', num: true, cell: (row) => quietZero(row.waiting, count) },
    { label: 'Returned', num: true, cell: (row) => quietZero(row.returned, count) },
    { label: 'In flight', num: true, cell: (row) => quietZero(row.inFlight, count) },
    { label: 'Leases', num: true, cell: (row) => quietZero(row.leases, count) },
    {
      label: 'Dead',
      num: true,
      cell: (row) =>
        row.dead
          ? html`<a href=${toDead({ queue: row.queue, group: row.name })}>${count(row.dead)}</a>`
          : quietZero(0),
    },
    {
      label: 'Created',
      num: true,
      hint: 'When it was created, and where it began',
      cell: (row) =>
        html`${when(row.createdAt)}${row.startMode === 'all' ? '' : html`<br /><span class="muted small">${MODES[row.startMode]}</span>`}`,
    },
    { label: 'Acts', bare: true, tight: true, cell: menu },
  ];
}
