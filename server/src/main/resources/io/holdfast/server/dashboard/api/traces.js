/** Calls about traces: notes that consumers make about messages. Field names of the server's answers are read here only. */
import { get } from '../lib/api.js';

/**
 * @param {Record<string, any>} row
 * @returns {Hf.Trace}
 */
const traceOf = (row) => ({
  id: row.id,
  kind: row.event_type,
  group: row.consumer_group,
  createdAt: row.created_at,
  names: row.trace_names,
  data: row.data,
  transactionId: row.transaction_id,
  partitionId: row.partition_id,
  queue: row.queue_name,
  partition: row.partition_name,
});

/**
 * The traces of a message, oldest first.
 *
 * @param {string} partitionId
 * @param {string} transactionId
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Trace[]>}
 */
export async function tracesOf(partitionId, transactionId, signal) {
  const { traces } = await get(['traces', partitionId, transactionId], { signal, keep: true });
  return traces.map(traceOf);
}

/**
 * A page of the traces of a name, newest first.
 *
 * @param {string} name
 * @param {Hf.Query} query limit and offset
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ rows: Hf.Trace[], total: number }>}
 */
export async function tracesByName(name, query, signal) {
  const { traces, total } = await get(['traces', 'by-name', name], { query, signal, keep: true });
  return { rows: traces.map(traceOf), total };
}

/**
 * A page of names of traces, those used last first.
 *
 * @param {Hf.Query} query limit and offset
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ rows: Hf.TraceName[], total: number }>}
 */
export async function listTraceNames(query, signal) {
  const { trace_names: names, total } = await get(['traces', 'names'], { query, signal });
  const rows = names.map((/** @type {Record<string, any>} */ row) => ({
    name: row.trace_name,
    traces: row.trace_count,
    messages: row.message_count,
    lastAt: row.last_seen,
  }));
  return { rows, total };
}
