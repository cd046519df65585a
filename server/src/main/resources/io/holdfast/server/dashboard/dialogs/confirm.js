/** The question before something that cannot be undone: what will happen, and for some acts a name to type. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { wholeName } from '../parts/words.js';
import { shown } from '../lib/text.js';

class Confirm extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    answer: { state: true },
  };

  constructor() {
    super();
    this.answer = '';
    this.isDanger = true;
    this.title_ = '';
    /** @type {Hf.Content} */
    this.body = undefined;
    this.label = '';
    /** What must be typed, if anything. @type {string | undefined} */
    this.typed = undefined;
    /** @type {() => Promise<unknown>} */
    this.act = async () => true;
  }

  heading() {
    return this.title_;
  }

  get danger() {
    return this.isDanger;
  }

  whyNot() {
    // A name that cannot be typed may be typed as it is shown.
    const isTyped = this.typed === undefined || this.answer === this.typed || this.answer === shown(this.typed);
    return isTyped ? '' : 'Type the name to confirm.';
  }

  content() {
    return html`${this.body}
    ${
      this.typed === undefined
        ? nothing
        : html`<label class="field">
          <span>Type <code>${wholeName(this.typed)}</code> to be sure</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck="false"
            data-test="confirm-name"
            .value=${this.answer}
            @input=${(/** @type {Hf.FieldEvent} */ event) => (this.answer = event.target.value)}
          />
        </label>`
    }`;
  }

  submitLabel() {
    return this.label;
  }

  work() {
    return this.act();
  }
}

defineDialog('hf-confirm', Confirm);

/**
 * Asks; resolves to what the act returned, or to undefined if it was cancelled.
 *
 * @param {object} question
 * @param {string} question.title
 * @param {Hf.Content} question.body
 * @param {string} question.label of the button
 * @param {() => Promise<unknown>} question.act
 * @param {string} [question.typed] what must be typed to confirm
 * @param {boolean} [question.danger]
 */
export function confirm({ title, body, label, act, typed, danger = true }) {
  return Confirm.open({ title_: title, body, label, act: async () => (await act()) ?? true, typed, isDanger: danger });
}
