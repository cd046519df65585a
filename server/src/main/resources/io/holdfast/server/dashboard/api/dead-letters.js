/** Calls about dead letters, and the jobs that work on many. Field names of the server's answers are read here only. */
import { address, get, post, remove, spliced } from '../lib/api.js';

/**
 * @param {Record<string, any>} row
 * @returns {Hf.DeadLetter}
 */
const letterOf = (row) => ({
  id: row.id,
  queue: row.queue,
  partition: row.partition,
  consumerGroup: row.consumerGroup,
  error: row.errorMessage,
  retryCount: row.retryCount,
  diedAt: row.failedAt,
  data: row.data,
  dataBase64: row.dataBase64,
  dataProblem: row.dataProblem,
});

/**
 * A page of dead letters.
 *
 * @param {Hf.DeadFilter & Hf.Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Page<Hf.DeadLetter> & { total: number }>}
 */
export async function listDeadLetters(query, signal) {
  const { messages, next, total } = await get(['dlq'], { query, signal, keep: true });
  return { rows: messages.map(letterOf), next, total };
}

/**
 * Each error once, with how many dead letters have it.
 *
 * @param {string | undefined} queue
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.DeadErrors>}
 */
export async function listErrors(queue, signal) {
  const { errors, total, complete } = await get(['dlq', 'errors'], { query: { queue }, signal });
  return { rows: errors, total, complete };
}

/** The address of the file with all dead letters that match. @param {Hf.DeadFilter} filter */
export const exportAddress = (filter) => address(['dlq', 'export'], { ...filter });

/**
 * Requeues all that match; with dryRun it only counts.
 *
 * @param {Hf.DeadFilter & { dryRun?: boolean, perSecond?: number, background?: boolean }} body
 * @returns {Promise<{ count: number, job?: Hf.Job }>}
 */
export async function requeueMatching(body) {
  const { requeued, job } = await post(['dlq', 'requeue'], body);
  return { count: requeued, job };
}

/**
 * Removes all that match.
 *
 * @param {Hf.DeadFilter} filter
 * @param {boolean} background
 * @returns {Promise<{ count: number, job?: Hf.Job }>}
 */
export async function removeMatching(filter, background) {
  const { deleted, job } = await remove(['dlq'], { query: { ...filter, background: background || undefined } });
  return { count: deleted, job };
}

/** @param {string} id @param {string} consumerGroup @returns {Promise<void>} */
export const requeue = (id, consumerGroup) => post(['dlq', id, 'replay'], { consumerGroup });

/**
 * Replaces a dead letter by a new message with another payload.
 *
 * @param {string} id
 * @param {string} consumerGroup
 * @param {string} payload JSON text, which is sent as it is
 * @returns {Promise<string>} the id of the new message
 */
export async function requeueEdited(id, consumerGroup, payload) {
  const body = spliced({ consumerGroup, allGroups: true }, 'payload', payload);
  const { replacedBy } = await post(['dlq', id, 'replay'], body);
  return replacedBy;
}

/** @param {string} id @param {string} consumerGroup @returns {Promise<void>} */
export const removeOne = (id, consumerGroup) => remove(['dlq', id], { query: { consumerGroup } });

/** @param {AbortSignal} [signal] @returns {Promise<Hf.Job[]>} */
export async function listJobs(signal) {
  const { jobs } = await get(['jobs'], { signal });
  return jobs;
}

/** Stops a job; what it has done stays done. @param {string} id @returns {Promise<void>} */
export const cancelJob = (id) => remove(['jobs', id]);
