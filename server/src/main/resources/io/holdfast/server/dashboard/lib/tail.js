/** Follows a queue: the messages that were pushed to it since the tail began. */
import { listMessages } from '../api/messages.js';
import { millis } from './format.js';
import { live } from './live.js';
import { isVisible } from './page-visible.js';

const EVERY_MS = 1_000;
const PAGE = 200;
const PAGES_MOST = 5;

/** Messages may become visible to a reader a little later than others with the same time. */
const OVERLAP_MS = 2_000;

/** A group without consumers: in its view no message is leased or settled. */
const NOBODY = '__TAIL__';

export const KEPT_MOST = 500;

/** A controller that polls while its element is shown and it is not paused. Newest messages first. */
export class Tail {
  /** @param {Hf.Host} host */
  constructor(host) {
    this.host = host;
    this.queue = '';
    /** Undefined until the queue was read for the first time. @type {Hf.MessageRow[] | undefined} */
    this.rows = undefined;
    /** @type {Set<string>} */
    this.seen = new Set();
    this.fromMs = 0;
    this.isPaused = false;
    this.hasMissed = false;
    /** @type {unknown} */
    this.error = undefined;
    this.isConnected = false;
    /** @type {AbortController | undefined} */
    this.control = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    host.addController(this);
  }

  hostConnected() {
    this.isConnected = true;
    this.poll();
  }

  hostDisconnected() {
    this.isConnected = false;
    this.stop();
  }

  /** Starts again if it is another queue. @param {string} queue */
  of(queue) {
    if (queue !== this.queue) {
      this.queue = queue;
      // The clock of the server, if it is known.
      this.fromMs = live.tick?.time ?? Date.now();
      this.rows = undefined;
      this.hasMissed = false;
      this.poll();
    }
  }

  clear() {
    this.rows = [];
    this.hasMissed = false;
    this.host.requestUpdate();
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.isPaused = isPaused;
    this.host.requestUpdate();
    this.poll();
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
  }

  async poll() {
    this.stop();
    if (!this.isConnected || this.isPaused || this.queue === '') {
      return;
    }
    const control = new AbortController();
    this.control = control;
    try {
      if (isVisible()) {
        this.add(await this.read(control.signal));
      }
      this.error = undefined;
    } catch (error) {
      this.error = error;
    }
    if (!control.signal.aborted) {
      this.host.requestUpdate();
      this.timer = setTimeout(() => this.poll(), EVERY_MS);
    }
  }

  /** @param {AbortSignal} signal */
  async read(signal) {
    const from = new Date(this.fromMs - OVERLAP_MS).toISOString();
    /** @type {Hf.MessageRow[]} */
    const found = [];
    /** @type {string | null | undefined} */
    let after;
    for (let page = 0; page < PAGES_MOST; page++) {
      const { rows, next } = await listMessages(
        { queue: this.queue, consumerGroup: NOBODY, from, after, limit: PAGE },
        signal,
      );
      found.push(...rows);
      if (!next) {
        return found;
      }
      after = next;
    }
    this.hasMissed = true;
    return found;
  }

  /** @param {Hf.MessageRow[]} found */
  add(found) {
    // The first read only finds what was there before.
    const fresh = this.rows ? found.filter((row) => !this.seen.has(row.id)) : [];
    fresh.sort((a, b) => (millis(b.createdAt) ?? 0) - (millis(a.createdAt) ?? 0) || b.seq - a.seq);
    this.rows = [...fresh, ...(this.rows ?? [])].slice(0, KEPT_MOST);
    this.fromMs = Math.max(this.fromMs, ...fresh.map((row) => millis(row.createdAt) ?? 0));
    this.seen = new Set([...found.map((row) => row.id), ...this.rows.map((row) => row.id)]);
  }
}
