/** Actions on a whole queue; each asks first. */
import { html } from 'lit';
import { confirm } from './confirm.js';
import { wholeName } from '../parts/words.js';
import { say, attempt } from '../parts/toast.js';
import { deleteQueue as remove, pause, purge, readQueue, resume } from '../api/queues.js';
import { plural, count } from '../lib/format.js';
import { shown } from '../lib/text.js';

/** @param {string} queue */
export function pauseQueue(queue) {
  return confirm({
    title: 'Pause the queue?',
    body: html`<p><strong>${wholeName(queue)}</strong> delivers no messages until it is resumed. Pushes and acks continue, and leases stay valid.</p>`,
    label: 'Pause',
    danger: false,
    act: async () => {
      await pause(queue);
      say(`${shown(queue)} is paused.`);
    },
  });
}

/** @param {string} queue */
export function resumeQueue(queue) {
  return attempt(() => resume(queue), `${shown(queue)} delivers again.`);
}

/**
 * Removes all messages; dead letters stay.
 *
 * @param {string} queue
 */
export async function purgeQueue(queue) {
  const { counts } = await readQueue(queue);
  const gone = counts.stored;
  return confirm({
    title: 'Purge the queue?',
    body: html`<p>
        This removes <strong>${plural(gone, 'message')}</strong> of <strong>${wholeName(queue)}</strong>: waiting and delayed messages, ${count(counts.inFlight)} in flight, and settled ones that are still kept. It cannot be undone.
      </p>
      <p>Its ${plural(counts.dead, 'dead letter')} and its groups stay.</p>`,
    label: `Purge ${plural(gone, 'message')}`,
    typed: queue,
    act: async () => {
      const purged = await purge(queue);
      say(`${plural(purged, 'message')} removed from ${shown(queue)}.`);
    },
  });
}

/**
 * Deletes a queue with all it holds.
 *
 * @param {string} queue
 */
export async function deleteQueue(queue) {
  const { counts, groups, partitions } = await readQueue(queue);
  return confirm({
    title: 'Delete the queue?',
    body: html`<p>
      This deletes <strong>${wholeName(queue)}</strong> with <strong>${plural(counts.stored, 'message')}</strong>,
      ${plural(counts.dead, 'dead letter')}, ${plural(partitions, 'partition')}, ${plural(groups, 'group')} and its options. It cannot
      be undone. A later push to this name creates a new queue.
    </p>`,
    label: 'Delete the queue',
    typed: queue,
    act: async () => {
      await remove(queue);
      say(`${shown(queue)} is deleted.`);
    },
  });
}
