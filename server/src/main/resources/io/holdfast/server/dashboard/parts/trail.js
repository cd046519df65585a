/** Paging by cursor: each answer has the cursor of the next page. */

/** A controller that remembers the marks of the pages before this one, until another list is looked at. */
export class Trail {
  /** @param {Hf.Host} host */
  constructor(host) {
    this.host = host;
    /** @type {string[]} */
    this.marks = [];
    /** @type {string | undefined} */
    this.key = undefined;
    host.addController(this);
  }

  hostConnected() {}

  /**
   * Starts at the first page if the list is another one.
   *
   * @param {unknown} key
   */
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

  /** @param {string[]} marks */
  to(marks) {
    this.marks = marks;
    this.host.requestUpdate();
  }
}
