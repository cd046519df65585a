/** Calls about journals and records. Field names of the server's answers are read here only. */
import { get } from '../lib/api.js';

/** @param {Hf.Query} query prefix, after and limit @param {AbortSignal} [signal] @returns {Promise<Hf.Page<Hf.RecordRow>>} */
export async function listRecords(query, signal) {
  const { records, next } = await get(['records'], { query, signal, keep: true });
  return { rows: records, next };
}

/** @param {string} key @param {AbortSignal} [signal] @returns {Promise<Hf.RecordRow>} */
export const readRecord = (key, signal) => get(['records', key], { signal, keep: true });

/**
 * Events of a journal from a position on.
 *
 * @param {string} journal
 * @param {Hf.Query} query from and limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Journal>}
 */
export const readJournal = (journal, query, signal) => get(['journals', journal], { query, signal, keep: true });
