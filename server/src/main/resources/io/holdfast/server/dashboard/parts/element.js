/** What all elements of the dashboard are: Lit elements in the page itself, so that one set of styles holds. */
import { LitElement } from 'lit';

export class HfElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** Tells those around it, with something to know. */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
