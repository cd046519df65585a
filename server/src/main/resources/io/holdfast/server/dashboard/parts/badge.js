/** A state as a word with an icon, so that it does not depend on colour. */
import { html } from 'lit';
import { icon } from './icon.js';

/** The word, icon and tone of each state. @type {Record<string, [string, string, Hf.Tone]>} */
const STATES = {
  // of a message
  waiting: ['Waiting', 'wait', ''],
  in_flight: ['In flight', 'play', 'is-info'],
  returned: ['Returned', 'again', 'is-warn'],
  delayed: ['Delayed', 'wait', 'is-info'],
  settled: ['Settled', 'check', 'is-good'],
  dead: ['Dead', 'cross', 'is-bad'],
  // of a task
  Queued: ['Queued', 'wait', ''],
  Received: ['Received', 'down', 'is-info'],
  Running: ['Running', 'play', 'is-info'],
  Complete: ['Complete', 'check', 'is-good'],
  Failed: ['Failed', 'again', 'is-warn'],
  Dead: ['Dead', 'cross', 'is-bad'],
  // of a flow
  pending: ['Pending', 'wait', ''],
  running: ['Running', 'play', 'is-info'],
  suspended: ['Suspended', 'pause', 'is-warn'],
  blocked: ['Blocked', 'stop', 'is-bad'],
  completed: ['Completed', 'check', 'is-good'],
  failed: ['Failed', 'cross', 'is-bad'],
  cancelled: ['Cancelled', 'stop', ''],
  terminated: ['Terminated', 'stop', 'is-warn'],
  // of a group
  Stable: ['Keeping up', 'check', 'is-good'],
  Lagging: ['Lagging', 'warning', 'is-warn'],
  Idle: ['No consumer', 'cross', 'is-bad'],
  // of a queue
  paused: ['Paused', 'pause', 'is-warn'],
  // of a job
  done: ['Done', 'check', 'is-good'],
  // of a token
  good: ['Good', 'check', 'is-good'],
  expired: ['Expired', 'wait', ''],
  revoked: ['Revoked', 'stop', ''],
  // of a switch
  on: ['On', 'check', 'is-good'],
};

/**
 * The word of a state.
 *
 * @param {string} state
 */
export function stateWord(state) {
  return STATES[state]?.[0] ?? String(state);
}

/** @param {string} state */
export function stateIcon(state) {
  return icon(STATES[state]?.[1] ?? 'info');
}

/**
 * A state in a word.
 *
 * @param {string} state
 */
export function badge(state) {
  const [word, drawing, tone] = STATES[state] ?? [String(state), 'info', ''];
  return html`<span class="badge ${tone}" data-state=${state}>${icon(drawing)}${word}</span>`;
}
