/** A clock for elements that show time left: one timer, only while somebody looks. */
import { isVisible } from './page-visible.js';

const hosts = new Set();
let timer = 0;

function beat() {
  if (isVisible()) {
    for (const host of hosts) {
      host.requestUpdate();
    }
  }
}

/** A controller that paints its element again every second. */
export class Seconds {
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
      timer = 0;
    }
  }
}
