/** Calls about queues, partitions and leases. Field names of the server's answers are read here only. */
import { get, post, remove } from '../lib/api.js';

/** @param {string} queue @param {string[]} more */
const path = (queue, ...more) => ['resources', 'queues', queue, ...more];

/**
 * A page of queues with their counts and rates, sorted by the server.
 *
 * @param {Hf.Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.QueueList>}
 */
export async function listQueues(query, signal) {
  const { queues, total, pagination } = await get(['status', 'queues'], { query, signal });
  return { rows: queues, total, offset: pagination.offset };
}

/** @param {Record<string, any>} stats */
const countsOf = (stats) => ({
  // The server counts messages that were returned as pending too.
  waiting: stats.pending - stats.returned,
  inFlight: stats.processing,
  returned: stats.returned,
  delayed: stats.delayed,
  dead: stats.deadLetter,
  bytes: stats.bytes,
  stored: stats.total,
});

/**
 * A queue with its options and counts.
 *
 * @param {string} queue
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.QueueInfo>}
 */
export async function readQueue(queue, signal) {
  const info = await get(path(queue), { query: { limit: 1 }, signal });
  return {
    name: info.name,
    namespace: info.namespace,
    task: info.task,
    createdAt: info.createdAt,
    paused: info.paused,
    groups: info.groups,
    partitions: info.partitionCount,
    options: info.options,
    counts: countsOf(info.totals),
  };
}

/**
 * A page of the partitions of a queue, by name.
 *
 * @param {string} queue
 * @param {Hf.Query} query limit and after
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Page<Hf.PartitionRow>>}
 */
export async function listPartitions(queue, query, signal) {
  const { partitions, next } = await get(path(queue), { query, signal });
  const rows = partitions.map((/** @type {Record<string, any>} */ { id, name, lastPushAt, stats, lanes }) => ({
    id,
    name,
    lastPushAt,
    waiting: stats.pending,
    inFlight: stats.processing,
    returned: stats.returned,
    delayed: stats.delayed,
    bytes: stats.bytes,
    lanes: lanes.map((/** @type {Record<string, any>} */ lane) => ({ priority: lane.priority, waiting: lane.pending })),
  }));
  return { rows, next };
}

/**
 * The partitions with most waiting messages; of all queues if none is named.
 *
 * @param {string | undefined} queue
 * @param {number} limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ rows: Hf.PartitionRow[], complete: boolean }>}
 */
export async function fullestPartitions(queue, limit, signal) {
  const { partitions, complete } = await get(['resources', 'partitions'], { query: { queue, limit }, signal });
  const rows = partitions.map((/** @type {Record<string, any>} */ row) => ({
    id: row.partitionId,
    name: row.partition,
    waiting: row.pending,
    inFlight: row.processing,
  }));
  return { rows, complete };
}

/**
 * A page of the leases of a queue.
 *
 * @param {string} queue
 * @param {Hf.Query} query limit and after
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Page<Hf.LeaseRow>>}
 */
export async function listLeases(queue, query, signal) {
  const { leases, next } = await get(path(queue, 'leases'), { query, signal });
  return { rows: leases, next };
}

/**
 * Returns the messages of a lease to their queue.
 *
 * @param {string} leaseId
 * @returns {Promise<number>} how many
 */
export async function releaseLease(leaseId) {
  const { count } = await post(['lease', leaseId, 'settle'], { status: 'release' });
  return count;
}

/**
 * Creates a queue, or changes its options.
 *
 * @param {string} queue
 * @param {Hf.QueueOptions} options
 * @returns {Promise<void>}
 */
export const configure = (queue, options) => post(['configure'], { queue, options });

/** @param {string} queue @returns {Promise<void>} */
export const pause = (queue) => post(path(queue, 'pause'));

/** @param {string} queue @returns {Promise<void>} */
export const resume = (queue) => post(path(queue, 'resume'));

/**
 * Removes all messages of a queue.
 *
 * @param {string} queue
 * @returns {Promise<number>} how many
 */
export async function purge(queue) {
  const { purged } = await post(path(queue, 'purge'), {});
  return purged;
}

/** @param {string} queue @returns {Promise<void>} */
export const deleteQueue = (queue) => remove(path(queue));
