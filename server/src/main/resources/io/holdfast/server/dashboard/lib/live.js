/** The broker's numbers as they come, every two seconds, over one connection for the whole page. */
import { address } from './api.js';
import { readNow, tickOf } from '../api/system.js';
import { isVisible, onVisible } from './page-visible.js';

const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 30_000;

/** Ticks come every 2 s, and a heartbeat at the latest after 15 s; after a longer silence the connection is lost. */
const SILENCE_MS = 20_000;

/** The one stream of ticks. state is off, connecting, live or waiting. */
class Live {
  constructor() {
    /** @type {Hf.Tick | null} */
    this.tick = null;
    /** @type {'off' | 'connecting' | 'live' | 'waiting'} */
    this.state = 'off';
    /** @type {string | null} */
    this.queue = null;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    this.wanted = false;
    this.retryMs = RETRY_FIRST_MS;
    /** @type {Set<Hf.Host>} */
    this.hosts = new Set();
    onVisible((visible) => (visible ? this.connect() : this.pause()));
  }

  start() {
    this.wanted = true;
    this.connect();
  }

  end() {
    this.wanted = false;
    this.tick = null;
    this.close();
    this.become('off');
  }

  /**
   * Asks for the numbers of one queue as well; null for none.
   *
   * @param {string | null} queue
   */
  watch(queue) {
    if (queue !== this.queue) {
      this.queue = queue;
      if (this.wanted) {
        this.connect();
      }
    }
  }

  connect() {
    this.close();
    if (!this.wanted || !isVisible()) {
      return;
    }
    if (this.state !== 'live') {
      this.become('connecting');
    }
    const source = new EventSource(address(['live'], { queue: this.queue }));
    source.addEventListener('tick', (event) => this.ticked(tickOf(event.data)));
    source.addEventListener('heartbeat', () => this.listen());
    source.addEventListener('error', () => this.lost());
    this.source = source;
    this.listen();
  }

  /** @param {Hf.Tick} tick */
  ticked(tick) {
    this.tick = tick;
    this.retryMs = RETRY_FIRST_MS;
    this.listen();
    this.become('live');
  }

  listen() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(), SILENCE_MS);
  }

  lost() {
    this.close();
    this.become('waiting');
    this.retry = setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(RETRY_MOST_MS, this.retryMs * 2);
    this.askOnce();
  }

  /**
   * Asks for the numbers themselves: so they are there when too many listen already. And an event source does not
   * tell why it ended; if it was the token, this does.
   */
  async askOnce() {
    try {
      this.tick = await readNow(this.queue);
      this.become(this.state);
    } catch {
      // The retry comes anyway.
    }
  }

  pause() {
    this.close();
    if (this.wanted) {
      this.become('connecting');
    }
  }

  close() {
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.source?.close();
    this.source = null;
  }

  /** @param {Live['state']} state */
  become(state) {
    this.state = state;
    for (const host of this.hosts) {
      host.requestUpdate();
    }
  }
}

export const live = new Live();

/** A controller that paints its element again with every tick. */
export class LiveTicks {
  /** @param {Hf.Host} host */
  constructor(host) {
    this.host = host;
    host.addController(this);
  }

  hostConnected() {
    live.hosts.add(this.host);
  }

  hostDisconnected() {
    live.hosts.delete(this.host);
  }

  get tick() {
    return live.tick;
  }
}
