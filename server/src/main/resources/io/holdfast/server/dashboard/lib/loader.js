/** Loads the data of a page; old data is kept until newer has arrived, so nothing flickers. */
import { isVisible, onVisible } from './page-visible.js';

/**
 * A controller that loads something for its element, again and again if it is to be kept fresh.
 *
 * Data stays until newer data has arrived. Only a change of the key, which names what is shown, removes it.
 *
 * @template T
 */
export class Loader {
  /**
   * @param {Hf.Host} host
   * @param {(signal: AbortSignal) => Promise<T>} load
   * @param {{ everyMs?: number }} [options] how often to load again while the page is visible; 0 for never
   */
  constructor(host, load, { everyMs = 0 } = {}) {
    this.host = host;
    this.load = load;
    this.everyMs = everyMs;
    /** @type {T | undefined} */
    this.data = undefined;
    /** @type {unknown} */
    this.error = undefined;
    /** @type {string | undefined} */
    this.key = undefined;
    /** The key of the data. @type {string | undefined} */
    this.dataKey = undefined;
    this.busy = false;
    this.connected = false;
    this.ended = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | undefined} */
    this.control = undefined;
    host.addController(this);
  }

  hostConnected() {
    this.connected = true;
    this.ended = onVisible((visible) => (visible ? this.refresh() : this.stop()));
    if (this.key !== undefined) {
      this.refresh();
    }
  }

  hostDisconnected() {
    this.connected = false;
    this.ended();
    this.stop();
  }

  /** Whether what is shown is not yet what is wanted. */
  get isStale() {
    return this.busy && this.data !== undefined && this.dataKey !== this.key;
  }

  /**
   * Loads if the key is new; keep leaves the old data on the screen until then.
   *
   * @param {unknown} key
   * @param {{ keep?: boolean }} [options]
   */
  want(key, { keep = false } = {}) {
    const text = JSON.stringify(key);
    if (text === this.key) {
      return;
    }
    this.key = text;
    if (!keep) {
      this.data = undefined;
    }
    this.error = undefined;
    if (this.connected) {
      this.refresh();
    }
  }

  /** Loads now. */
  async refresh() {
    this.stop();
    const control = new AbortController();
    const { key } = this;
    this.control = control;
    this.busy = true;
    try {
      const data = await this.load(control.signal);
      if (!control.signal.aborted) {
        this.data = data;
        this.dataKey = key;
        this.error = undefined;
      }
    } catch (error) {
      if (!control.signal.aborted) {
        this.error = error;
      }
    }
    if (control.signal.aborted) {
      return;
    }
    this.busy = false;
    this.host.requestUpdate();
    this.again();
  }

  again() {
    if (this.everyMs > 0 && this.connected && isVisible()) {
      this.timer = setTimeout(() => this.refresh(), this.everyMs);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.busy = false;
  }
}
