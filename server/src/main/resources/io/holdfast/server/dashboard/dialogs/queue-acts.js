/** What can be done to a whole queue: each act asks first, and says what will happen. */
import { html } from 'lit';
import { confirm } from './confirm.js';
import { wholeName } from '../parts/words.js';
import { say, attempt } from '../parts/toast.js';
import { get, post, remove } from '../lib/api.js';
import { plural, count } from '../lib/format.js';
import { shown } from '../lib/text.js';

const path = (queue, ...more) => ['resources', 'queues', queue, ...more];

/** What a queue holds now, so that the question says what is at stake. */
async function totalsOf(queue) {
  const { totals, groups, partitionCount } = await get(path(queue), { query: { limit: 1 } });
  return { totals, groups, partitionCount };
}

export function pauseQueue(queue) {
  return confirm({
    title: 'Pause the queue?',
    body: html`<p><strong>${wholeName(queue)}</strong> delivers nothing until it is resumed. Pushes and acks go on; leases that are held stay held.</p>`,
    label: 'Pause',
    danger: false,
    act: async () => {
      await post(path(queue, 'pause'));
      say(`${shown(queue)} is paused.`);
    },
  });
}

export function resumeQueue(queue) {
  return attempt(() => post(path(queue, 'resume')), `${shown(queue)} delivers again.`);
}

/** Removes all messages; dead letters stay. */
export async function purgeQueue(queue) {
  const { totals } = await totalsOf(queue);
  const gone = totals.total;
  return confirm({
    title: 'Purge the queue?',
    body: html`<p>
        This removes <strong>${plural(gone, 'message')}</strong> of <strong>${wholeName(queue)}</strong>: those that wait or are
        delayed, ${count(totals.processing)} in flight, and settled ones that are still kept. It cannot be undone.
      </p>
      <p>Its ${plural(totals.deadLetter, 'dead letter')} and its groups stay.</p>`,
    label: `Purge ${plural(gone, 'message')}`,
    typed: queue,
    act: async () => {
      const { purged } = await post(path(queue, 'purge'), {});
      say(`${plural(purged, 'message')} removed from ${shown(queue)}.`);
    },
  });
}

/** Deletes a queue with all it holds. */
export async function deleteQueue(queue) {
  const { totals, groups, partitionCount } = await totalsOf(queue);
  return confirm({
    title: 'Delete the queue?',
    body: html`<p>
      This deletes <strong>${wholeName(queue)}</strong> with <strong>${plural(totals.total, 'message')}</strong>,
      ${plural(totals.deadLetter, 'dead letter')}, ${plural(partitionCount, 'partition')}, ${plural(groups, 'group')} and its options. It cannot
      be undone. A later push to this name makes a new queue.
    </p>`,
    label: 'Delete the queue',
    typed: queue,
    act: async () => {
      await remove(path(queue));
      say(`${shown(queue)} is deleted.`);
    },
  });
}
