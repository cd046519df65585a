/** The base of all dialogs: a box in front of the page that asks, acts, and closes when it is done. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { problem } from './notice.js';

/**
 * A dialog. Escape and the close button end it without a result; a submit does its work first, and stays open
 * with the server's sentence if that is refused.
 *
 * Subclasses define heading, content, submitLabel and work; and if needed whyNot, danger, large and more.
 */
export class HfDialog extends HfElement {
  static properties = {
    busy: { state: true },
    failure: { state: true },
  };

  /** Returned by work if the dialog stays open. */
  static STAY = Symbol('stay');

  static tag = '';

  /**
   * Opens one with these properties; resolves to the result, or to undefined if it was cancelled.
   *
   * @param {Record<string, unknown>} [properties]
   * @returns {Promise<any>}
   */
  static open(properties = {}) {
    const dialog = /** @type {HfDialog} */ (document.createElement(this.tag));
    Object.assign(dialog, properties);
    return new Promise((resolve) => {
      dialog.resolve = resolve;
      document.body.append(dialog);
    });
  }

  constructor() {
    super();
    this.busy = false;
    /** @type {unknown} */
    this.failure = undefined;
    /** @type {((result: unknown) => void) | null} */
    this.resolve = null;
  }

  /** The title. @returns {Hf.Content} */
  heading() {
    return '';
  }

  /** @returns {Hf.Content} */
  content() {
    return nothing;
  }

  /** Empty if there is nothing to submit. @returns {string} */
  submitLabel() {
    return 'OK';
  }

  /** Does what was asked; what it returns is the result. @returns {Promise<unknown>} */
  async work() {
    return true;
  }

  /** Why it cannot be submitted now; empty if it can. @returns {string} */
  whyNot() {
    return '';
  }

  get danger() {
    return false;
  }

  get large() {
    return false;
  }

  /** More buttons, before the others. @returns {Hf.Content} */
  more() {
    return nothing;
  }

  get box() {
    return /** @type {HTMLDialogElement} */ (this.querySelector('dialog'));
  }

  firstUpdated() {
    const { box } = this;
    box.showModal();
    /** @type {HTMLElement | null} */
    const first =
      box.querySelector('[autofocus]') ??
      box.querySelector('.inside input, .inside textarea, .inside select, footer button');
    first?.focus();
  }

  render() {
    return html`<dialog
      class="box ${this.large ? 'is-large' : ''}"
      aria-labelledby="dialog-title"
      data-test="dialog"
      @close=${() => this.end(undefined)}
    >
      <form novalidate @submit=${this.submit}>
        <header>
          <h2 id="dialog-title">${this.heading()}</h2>
          <button type="button" class="button quiet only-icon" aria-label="Close" @click=${() => this.leave()}>
            ${icon('close')}
          </button>
        </header>
        <div class="inside">${this.content()}${this.failure ? html`<p></p>${problem(this.failure)}` : nothing}</div>
        <footer>${this.buttons()}</footer>
      </form>
    </dialog>`;
  }

  buttons() {
    const label = this.submitLabel();
    const whyNot = this.whyNot();
    return html`<span class="start">${this.more()}</span>
      ${label ? html`<span class="muted small why-not" id="dialog-why" data-test="dialog-why">${whyNot}</span>` : nothing}
      <button type="button" class="button" data-test="dialog-cancel" @click=${() => this.leave()}>
        ${label ? 'Cancel' : 'Close'}
      </button>
      ${
        label
          ? html`<button
            type="submit"
            class="button ${this.danger ? 'danger solid' : 'primary'}"
            data-test="dialog-submit"
            aria-disabled=${this.busy || whyNot ? 'true' : nothing}
            aria-describedby="dialog-why"
          >
            ${this.busy ? 'Working…' : label}
          </button>`
          : nothing
      }`;
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (this.busy || this.whyNot() !== '') {
      return;
    }
    this.busy = true;
    this.failure = undefined;
    try {
      const result = await this.work();
      if (result !== HfDialog.STAY) {
        this.end(result);
      }
    } catch (error) {
      this.failure = error;
    }
    this.busy = false;
  }

  leave() {
    this.box.close();
  }

  /** @param {unknown} result */
  end(result) {
    if (this.resolve) {
      const { resolve } = this;
      this.resolve = null;
      const { box } = this;
      if (box.open) {
        // So the browser gives the focus back to where it was.
        box.close();
      }
      this.remove();
      resolve(result);
    }
  }
}

/**
 * Makes a dialog known to the page.
 *
 * @param {string} tag
 * @param {typeof HfDialog} kind
 */
export function defineDialog(tag, kind) {
  kind.tag = tag;
  customElements.define(tag, kind);
}
