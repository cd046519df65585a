/** Calls about tasks: messages of queues that track them. Field names of the server's answers are read here only. */
import { get } from '../lib/api.js';

/** The names of the queues that track their messages. @param {AbortSignal} [signal] @returns {Promise<string[]>} */
export async function listTaskQueues(signal) {
  const { queues } = await get(['task-queues'], { signal });
  return queues;
}

/** @param {string | undefined} queue @param {AbortSignal} [signal] @returns {Promise<Hf.TaskCounts>} */
export const countTasks = (queue, signal) => get(['task-counts'], { query: { queue }, signal });

/** @param {Hf.Query} query @param {AbortSignal} [signal] @returns {Promise<Hf.Page<Hf.Task>>} */
export async function listTasks(query, signal) {
  const { tasks, next } = await get(['tasks'], { query, signal });
  return { rows: tasks, next };
}

/** @param {string} id @param {AbortSignal} [signal] @returns {Promise<Hf.Task>} */
export const readTask = (id, signal) => get(['tasks', id], { signal });
