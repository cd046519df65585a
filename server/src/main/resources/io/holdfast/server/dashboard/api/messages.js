/** Calls about messages. Field names of the server's answers are read here only. */
import { get, post, spliced } from '../lib/api.js';

/**
 * A page of the messages of a queue, as one group sees them.
 *
 * @param {Hf.Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Page<Hf.MessageRow>>}
 */
export async function listMessages(query, signal) {
  const { messages, next } = await get(['messages'], { query, signal, keep: true });
  return { rows: messages, next };
}

/**
 * A message, and why it is not being delivered.
 *
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Message>}
 */
export const readMessage = (id, signal) => get(['messages', id, 'explain'], { signal, keep: true });

/**
 * The id of the message of a transaction id in one partition.
 *
 * @param {string} partitionId
 * @param {string} transactionId
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function idOf(partitionId, transactionId, signal) {
  const { id } = await get(['messages', partitionId, transactionId], { signal, keep: true });
  return id;
}

/** The name by which acks and other routes know a message. @param {Hf.Message} message */
const nameOf = (message) => message.transactionId ?? message.id;

/**
 * Pushes a message.
 *
 * @param {Record<string, unknown>} item all but its payload
 * @param {string} payload JSON text, which is sent as it is
 * @returns {Promise<{ id: string, isDuplicate: boolean }>}
 */
export async function push(item, payload) {
  const [pushed] = await post(['push'], `{"items":[${spliced(item, 'payload', payload)}]}`);
  return { id: pushed.message_id, isDuplicate: pushed.status === 'duplicate' };
}

/** @param {string} id @returns {Promise<void>} */
export const cancel = (id) => post(['messages', id, 'cancel']);

/** @param {string} id @param {string} visibleAt @returns {Promise<void>} */
export const reschedule = (id, visibleAt) => post(['messages', id, 'reschedule'], { visibleAt });

/**
 * Returns a leased message to its queue, without counting a failure.
 *
 * @param {Hf.Message} message
 * @param {Hf.MessageGroup} group
 */
export async function release(message, group) {
  const done = await post(['ack'], {
    transactionId: nameOf(message),
    partitionId: message.partitionId,
    leaseId: group.leaseId,
    status: 'release',
  });
  if (!done.success) {
    throw new Error(done.error ?? 'the lease no longer holds the message');
  }
}

/**
 * Makes a message a dead letter of a group.
 *
 * @param {Hf.Message} message
 * @param {Hf.MessageGroup} group
 * @param {string} reason
 * @returns {Promise<{ isDropped: boolean }>} whether its queue keeps no dead letters
 */
export async function kill(message, group, reason) {
  const body = { consumerGroup: group.consumerGroup, ...(reason ? { error: reason } : {}) };
  const { result } = await post(['messages', message.partitionId, nameOf(message), 'dlq'], body);
  return { isDropped: result === 'failed_dropped' };
}

/**
 * Leases the next messages of a queue for a group.
 *
 * @param {string} queue
 * @param {Hf.Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hf.Leased[]>} none if there are none that can be delivered now
 */
export async function pop(queue, query, signal) {
  const answer = await get(['pop', 'queue', queue], { query, signal, keep: true });
  return answer?.messages ?? [];
}

/**
 * Settles leased messages and pushes them to another queue, all or none. The lease fences it: if it has ended, nothing
 * is done.
 *
 * @param {Hf.Leased[]} messages
 * @param {string} queue
 * @param {AbortSignal} [signal]
 */
export async function forward(messages, queue, signal) {
  const operations = messages.flatMap((message) => {
    const { id, transactionId, partition, partitionId, leaseId, priority, seq, headers } = message;
    const pushed = {
      type: 'push',
      queue,
      partition,
      priority,
      ...(transactionId === id ? {} : { transactionId }),
      ...(headers ? { headers } : {}),
    };
    return [
      JSON.stringify({ type: 'ack', partitionId, leaseId, seq, priority, status: 'completed' }),
      message.dataBase64
        ? JSON.stringify({ ...pushed, payloadBase64: message.dataBase64 })
        : spliced(pushed, 'payload', message.data ?? 'null'),
    ];
  });
  await post(['commit'], `{"operations":[${operations.join(',')}]}`, { signal });
}
