/** Finds a message by its transaction id, which the server knows by partition only. */
import { idOf } from '../api/messages.js';
import { fullestPartitions } from '../api/queues.js';
import { isNotFound } from './api.js';

const PARTITIONS_MOST = 1_000;
const AT_ONCE = 8;

/** @param {string} partitionId @param {string} transactionId @param {AbortSignal} signal */
async function idIn(partitionId, transactionId, signal) {
  try {
    return await idOf(partitionId, transactionId, signal);
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Looks for a transaction id in the partitions of a queue, or of all queues, those with most messages first.
 *
 * @param {string} transactionId
 * @param {string | undefined} queue
 * @param {AbortSignal} signal
 * @returns {Promise<{ id?: string, searched: number, isComplete: boolean }>}
 */
export async function findTransaction(transactionId, queue, signal) {
  const { rows, complete } = await fullestPartitions(queue, PARTITIONS_MOST, signal);
  const isComplete = complete && rows.length < PARTITIONS_MOST;
  let next = 0;
  /** @type {string | undefined} */
  let found;
  const search = async () => {
    while (next < rows.length && found === undefined) {
      const { id } = rows[next++];
      found = (await idIn(id, transactionId, signal)) ?? found;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, search));
  return { id: found, searched: rows.length, isComplete };
}
