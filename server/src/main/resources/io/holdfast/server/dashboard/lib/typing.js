/** Typed text that goes into the address after a moment. */

const TYPED_MS = 300;

/** Calls back once typing has paused. */
export class Typing {
  constructor() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {() => void} callback */
  pause(callback) {
    clearTimeout(this.timer);
    this.timer = setTimeout(callback, TYPED_MS);
  }
}
