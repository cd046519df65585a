/** The broker's numbers as they come, every two seconds, over one connection for the whole page. */
import { get, address } from './api.js';
import { isVisible, onVisible } from './page-visible.js';

const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 30_000;

/** Ticks come every 2 s and heartbeats every 15 s; a longer silence means that nobody is there. */
const SILENCE_MS = 10_000;

/** The one stream of ticks. state is off, connecting, live or waiting. */
class Live {
  constructor() {
    this.tick = null;
    this.state = 'off';
    this.queue = null;
    this.wanted = false;
    this.retryMs = RETRY_FIRST_MS;
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

  /** Asks for the numbers of one queue as well; null for none. */
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
    source.addEventListener('tick', (event) => this.ticked(JSON.parse(event.data)));
    source.addEventListener('error', () => this.lost());
    this.source = source;
    this.listen();
  }

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
      this.tick = await get(['status', 'now'], { query: { queue: this.queue } });
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
