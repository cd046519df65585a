/** The base of all elements: Lit elements without a shadow root, so that the styles of the page apply. */
import { LitElement } from 'lit';

export class HfElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  /**
   * Dispatches an event that bubbles.
   *
   * @param {string} name
   * @param {unknown} [detail]
   */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
