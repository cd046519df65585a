/** Calls about consumer groups. Field names of the server's answers are read here only. */
import { get, post, remove } from '../lib/api.js';

/**
 * @param {Record<string, any>} row
 * @returns {Hf.GroupRow}
 */
const groupOf = (row) => ({
  name: row.name,
  queue: row.queueName,
  leases: row.members,
  lag: row.totalLag,
  behindMs: row.maxTimeLag * 1000,
  // The server's Dead means that nobody reads, not that messages are dead.
  state: row.state === 'Dead' ? 'Idle' : row.state,
  startMode: row.subscriptionMode,
  createdAt: row.subscriptionCreatedAt,
  waiting: row.waiting,
  returned: row.returned,
  inFlight: row.inFlight,
  dead: row.deadLetters,
});

/**
 * A page of groups.
 *
 * @param {Hf.Query} query queue, group, limit and after
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Page<Hf.GroupRow>>}
 */
export async function listGroups(query, signal) {
  const { groups, next } = await get(['consumer-groups'], { query, signal });
  return { rows: groups.map(groupOf), next };
}

/**
 * All groups whose oldest message has been waiting for longer than this, the furthest behind first.
 *
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.LaggingRow[]>}
 */
export async function laggingGroups(seconds, signal) {
  const rows = await get(['consumer-groups', 'lagging'], { query: { minLagSeconds: seconds }, signal });
  return rows
    .map((/** @type {Record<string, any>} */ row) => ({
      name: row.consumer_group,
      queue: row.queue_name,
      lag: row.offset_lag,
      behindMs: row.time_lag_seconds * 1000,
      oldestAt: row.oldest_unconsumed_at,
    }))
    .sort((/** @type {Hf.LaggingRow} */ a, /** @type {Hf.LaggingRow} */ b) => b.behindMs - a.behindMs);
}

/**
 * Moves a group to the beginning, the end or a time.
 *
 * @param {Hf.GroupRow} group
 * @param {{ toBeginning: true } | { toEnd: true } | { timestamp: string | undefined }} to
 * @returns {Promise<{ partitions: number, lag: number, clamped: boolean }>}
 */
export async function seek(group, to) {
  const moved = await post(['consumer-groups', group.name, 'queues', group.queue, 'seek'], to);
  return { partitions: moved.partitionsUpdated, lag: moved.totalLag, clamped: moved.clamped };
}

/** @param {Hf.GroupRow} group @returns {Promise<void>} */
export const deleteGroup = (group) => remove(['consumer-groups', group.name, 'queues', group.queue]);
