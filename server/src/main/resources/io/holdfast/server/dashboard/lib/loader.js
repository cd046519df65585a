/** What a page shows, as it is loaded from the server: kept while newer is on its way, so nothing flickers. */
import { isVisible, onVisible } from './page-visible.js';

/**
 * A controller that loads something for its element, again and again if it is to be kept fresh.
 *
 * What was loaded stays until something newer came. Only a change of the key, that is of what is
 * looked at, takes it away.
 */
export class Loader {
  /**
   * @param load asked with a signal, promises the data
   * @param everyMs how often to load again while somebody looks; 0 for never
   */
  constructor(host, load, { everyMs = 0 } = {}) {
    this.host = host;
    this.load = load;
    this.everyMs = everyMs;
    this.data = undefined;
    this.error = undefined;
    this.key = undefined;
    this.busy = false;
    this.timer = 0;
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

  /** Loads if the key is new; keep leaves the old data on the screen until then. */
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
