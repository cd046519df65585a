/** The dialog that makes a checkpoint. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { say } from '../parts/toast.js';
import { makeCheckpoint as make } from '../api/system.js';
import { bytes } from '../lib/format.js';

const NAME = /^(?![.-])[A-Za-z0-9._-]{1,100}$/;

class CheckpointDialog extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    name: { state: true },
  };

  constructor() {
    super();
    this.name = '';
  }

  heading() {
    return 'Make a checkpoint';
  }

  submitLabel() {
    return 'Make a checkpoint';
  }

  whyNot() {
    const isGood = this.name === '' || (NAME.test(this.name) && !this.name.endsWith('.part'));
    return isGood ? '' : 'The name is not valid.';
  }

  content() {
    return html`<p>All data is copied to a new directory on the server. The broker keeps running.</p>
      <label class="field">
        <span>Name</span>
        <input
          type="text"
          autocomplete="off"
          placeholder="The time, in UTC"
          data-test="checkpoint-name"
          .value=${this.name}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.name = event.target.value)}
        />
        <span class="hint">Up to 100 letters, digits, dots, dashes and underscores.</span>
      </label>`;
  }

  async work() {
    const made = await make(this.name);
    say(`Checkpoint ${made.name} was made: ${bytes(made.bytes)}.`);
    return made;
  }
}

defineDialog('hf-checkpoint', CheckpointDialog);

/** Makes a checkpoint; resolves to it, or to undefined if the dialog was cancelled. */
export const makeCheckpoint = () => CheckpointDialog.open();
