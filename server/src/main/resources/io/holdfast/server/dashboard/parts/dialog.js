/** What all dialogs are: a box in front of the page that asks, does, and closes when it is done. */
import { html, nothing } from 'lit';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { problem } from './notice.js';

/**
 * A dialog. Escape and the close button end it without a result; a submit does its work first, and stays open
 * with the server's sentence if that is refused.
 *
 * Those that extend it say: heading, content, submitLabel, work; and may say isReady, danger, large, more.
 */
export class HfDialog extends HfElement {
  static properties = {
    busy: { state: true },
    failure: { state: true },
  };

  /** What work returns if the dialog has something more to show. */
  static STAY = Symbol('stay');

  /** Opens one with these properties; promises the result, or undefined if it was left. */
  static open(properties = {}) {
    const dialog = document.createElement(this.tag);
    Object.assign(dialog, properties);
    return new Promise((resolve) => {
      dialog.resolve = resolve;
      document.body.append(dialog);
    });
  }

  constructor() {
    super();
    this.busy = false;
    this.failure = undefined;
  }

  /** @returns the title of the box */
  heading() {
    return '';
  }

  content() {
    return nothing;
  }

  submitLabel() {
    return 'OK';
  }

  /** Does what was asked; what it returns is the result. */
  async work() {
    return true;
  }

  isReady() {
    return true;
  }

  get danger() {
    return false;
  }

  get large() {
    return false;
  }

  /** More buttons, before the others. */
  more() {
    return nothing;
  }

  firstUpdated() {
    const box = this.querySelector('dialog');
    box.showModal();
    (
      box.querySelector('[autofocus]') ??
      box.querySelector('.inside input, .inside textarea, .inside select, footer button')
    )?.focus();
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
    return html`<span class="start">${this.more()}</span>
      <button type="button" class="button" data-test="dialog-cancel" @click=${() => this.leave()}>
        ${label ? 'Cancel' : 'Close'}
      </button>
      ${
        label
          ? html`<button
            type="submit"
            class="button ${this.danger ? 'danger solid' : 'primary'}"
            data-test="dialog-submit"
            ?disabled=${this.busy || !this.isReady()}
          >
            ${this.busy ? 'Working…' : label}
          </button>`
          : nothing
      }`;
  }

  async submit(event) {
    event.preventDefault();
    if (this.busy || !this.isReady()) {
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
    this.querySelector('dialog').close();
  }

  end(result) {
    if (this.resolve) {
      const { resolve } = this;
      this.resolve = null;
      const box = this.querySelector('dialog');
      if (box.open) {
        // So the browser gives the focus back to where it was.
        box.close();
      }
      this.remove();
      resolve(result);
    }
  }
}

/** Makes a dialog known to the page. */
export function defineDialog(tag, kind) {
  kind.tag = tag;
  customElements.define(tag, kind);
}
