/** Calls about flows. Field names of the server's answers are read here only. */
import { get, post, remove } from '../lib/api.js';

/** @param {AbortSignal} [signal] @returns {Promise<Hf.FlowCounts>} */
export const countFlows = (signal) => get(['flow-counts'], { signal });

/** @param {Hf.Query} query @param {AbortSignal} [signal] @returns {Promise<Hf.Page<Hf.FlowRow>>} */
export async function listFlows(query, signal) {
  const { flows, next } = await get(['flows'], { query, signal });
  return { rows: flows, next };
}

/** @param {string} id @param {AbortSignal} [signal] @returns {Promise<Hf.Flow>} */
export const readFlow = (id, signal) => get(['flows', id], { signal, keep: true });

/** A flow with its children. @param {string} id @param {AbortSignal} [signal] @returns {Promise<Hf.FlowNode>} */
export const readTree = (id, signal) => get(['flows', id, 'tree'], { signal });

/**
 * A page of the events of an execution.
 *
 * @param {string} id
 * @param {Hf.Query} query execution, from and limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.FlowHistory>}
 */
export const readHistory = (id, query, signal) => get(['flows', id, 'history'], { query, signal, keep: true });

/** @param {string} body JSON text @returns {Promise<{ id: string, started: boolean }>} */
export const start = (body) => post(['flows'], body);

/**
 * Tells a flow something: raise, cancel, terminate, suspend, resume or retry.
 *
 * @param {string} id
 * @param {string} verb
 * @param {string} [body] JSON text
 * @returns {Promise<void>}
 */
export const tell = (id, verb, body) => post(['flows', id, verb], body);

/**
 * Deletes a flow with its children.
 *
 * @param {string} id
 * @param {boolean} force whether it has not ended
 * @returns {Promise<number>} how many were deleted
 */
export async function deleteFlow(id, force) {
  const { deleted } = await remove(['flows', id], { query: { cascade: true, force: force || undefined } });
  return deleted;
}

/**
 * Deletes flows that have ended; with dryRun it only counts.
 *
 * @param {Hf.Query} query
 * @returns {Promise<{ matched: number, deleted: number, kept: number, more: boolean }>}
 */
export const deleteEnded = (query) => remove(['flows'], { query });
