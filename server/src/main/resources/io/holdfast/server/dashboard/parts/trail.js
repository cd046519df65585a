/** The way through pages that the server chains: each answer names where the next begins. */

/** A controller that remembers the marks of the pages before this one, until another list is looked at. */
export class Trail {
  constructor(host) {
    this.host = host;
    this.marks = [];
    this.key = undefined;
    host.addController(this);
  }

  hostConnected() {}

  /** Begins anew if the list is another one. */
  of(key) {
    const text = JSON.stringify(key);
    if (text !== this.key) {
      this.key = text;
      this.marks = [];
    }
  }

  /** Where this page begins; undefined for the first. */
  get after() {
    return this.marks.at(-1);
  }

  to(marks) {
    this.marks = marks;
    this.host.requestUpdate();
  }
}
