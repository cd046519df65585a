/** The question before something that cannot be undone: what will happen, and for some acts a name to type. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { wholeName } from '../parts/words.js';
import { shown } from '../lib/text.js';

/**
 * Properties: title, body, label (of the button), act (does it), typed (what must be typed, if anything), isDanger.
 */
class Confirm extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    answer: { state: true },
  };

  constructor() {
    super();
    this.answer = '';
    this.isDanger = true;
  }

  heading() {
    return this.title_;
  }

  get danger() {
    return this.isDanger;
  }

  isReady() {
    // What cannot be typed may be typed as it is shown.
    return this.typed === undefined || this.answer === this.typed || this.answer === shown(this.typed);
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
            @input=${(event) => (this.answer = event.target.value)}
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

/** Asks; promises what the act returned, or undefined if it was left. */
export function confirm({ title, body, label, act, typed, danger = true }) {
  return Confirm.open({ title_: title, body, label, act: async () => (await act()) ?? true, typed, isDanger: danger });
}
