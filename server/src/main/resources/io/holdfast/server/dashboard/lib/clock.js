/** A clock for elements that show time left: one timer, only while the page is visible. */
import { isVisible } from './page-visible.js';

/** @type {Set<Hf.Host>} */
const hosts = new Set();
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

function beat() {
  if (isVisible()) {
    for (const host of hosts) {
      host.requestUpdate();
    }
  }
}

/** A controller that paints its element again every second. */
export class Seconds {
  /** @param {Hf.Host} host */
  constructor(host) {
    this.host = host;
    host.addController(this);
  }

  hostConnected() {
    hosts.add(this.host);
    if (!timer) {
      timer = setInterval(beat, 1000);
    }
  }

  hostDisconnected() {
    hosts.delete(this.host);
    if (hosts.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}
