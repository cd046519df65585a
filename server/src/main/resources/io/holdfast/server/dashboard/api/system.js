/** Calls about the server itself: status, maintenance, checkpoints, access. Field names of its answers are read here only. */
import { get, post, remove } from '../lib/api.js';

/** A tick as the live stream sends it. @param {string} json @returns {Hf.Tick} */
export const tickOf = (json) => JSON.parse(json);

/** The counts and rates of this moment. @param {string | null} queue @returns {Promise<Hf.Tick>} */
export const readNow = (queue) => get(['status', 'now'], { query: { queue } });

/** @param {Hf.Query} query @param {AbortSignal} [signal] @returns {Promise<Hf.SeriesData>} */
export const readSeries = (query, signal) => get(['status', 'series'], { query, signal });

/** Settings and limits, by section. @param {AbortSignal} [signal] @returns {Promise<Record<string, unknown>>} */
export const readSystem = (signal) => get(['system'], { signal });

/**
 * Which of the two switches are on.
 *
 * @param {AbortSignal} [signal]
 * @returns {Promise<Record<'push' | 'pop', boolean>>}
 */
export async function readMaintenance(signal) {
  const { maintenanceMode, popMaintenanceMode } = await get(['system', 'maintenance'], { signal });
  return { push: maintenanceMode === true, pop: popMaintenanceMode === true };
}

/**
 * Stops or starts pushes or deliveries of all queues.
 *
 * @param {'push' | 'pop'} kind
 * @param {boolean} enabled
 * @returns {Promise<string | undefined>} the server's sentence
 */
export async function setMaintenance(kind, enabled) {
  const path = kind === 'push' ? ['system', 'maintenance'] : ['system', 'maintenance', 'pop'];
  const { message } = await post(path, { enabled });
  return message;
}

/** Oldest first. @param {AbortSignal} [signal] @returns {Promise<Hf.Checkpoint[]>} */
export async function listCheckpoints(signal) {
  const { checkpoints } = await get(['system', 'checkpoints'], { signal });
  return checkpoints;
}

/** @param {string} name empty for the time as its name @returns {Promise<Hf.Checkpoint>} */
export const makeCheckpoint = (name) => post(['system', 'checkpoints'], name === '' ? {} : { name });

/** @returns {Promise<Hf.Who>} */
export const whoAmI = () => get(['whoami']);

/** @param {string} token @returns {Promise<void>} */
export const openSession = (token) => post(['session'], { token });

/** @returns {Promise<void>} */
export const closeSession = () => remove(['session']);

/** @param {AbortSignal} [signal] @returns {Promise<Hf.Token[]>} */
export async function listTokens(signal) {
  const { tokens } = await get(['tokens'], { signal });
  return tokens;
}

/**
 * @param {{ role: string, name?: string, queues?: string[], expiresSeconds?: number }} body
 * @returns {Promise<{ token: string }>}
 */
export const createToken = (body) => post(['tokens'], body);

/** @param {string} id @returns {Promise<void>} */
export const revokeToken = (id) => remove(['tokens', id]);
