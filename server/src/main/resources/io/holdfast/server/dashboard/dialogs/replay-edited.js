/** A dead letter with another payload: the old one goes and the new one is pushed, in one step. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { group as groupWord } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { requeueEdited } from '../api/dead-letters.js';
import { checkJson } from '../lib/json-check.js';
import { layOut } from '../lib/rawjson.js';

const TOKENS_MOST = 20_000;

class ReplayEdited extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    payload: { state: true },
  };

  constructor() {
    super();
    this.letterId = '';
    this.consumerGroup = '';
    /** The payload as it was sent. @type {string | null | undefined} */
    this.json = undefined;
    this.payload = '';
  }

  connectedCallback() {
    super.connectedCallback();
    const laidOut = layOut(this.json ?? 'null', TOKENS_MOST);
    this.payload = laidOut ? laidOut.map(({ text }) => text).join('') : (this.json ?? 'null');
  }

  get large() {
    return true;
  }

  heading() {
    return 'Requeue with another payload';
  }

  submitLabel() {
    return 'Requeue as edited';
  }

  whyNot() {
    return checkJson(this.payload) === '' ? '' : 'The payload is not valid JSON.';
  }

  content() {
    const wrong = checkJson(this.payload);
    return html`<p>
        The dead letter of <strong>${groupWord(this.consumerGroup)}</strong> goes, and a new message with this payload is pushed to the same queue,
        partition and lane: all groups of the queue get it. Both happen, or neither.
      </p>
      <label class="field">
        <span>Payload</span>
        <textarea
          rows="14"
          autofocus
          spellcheck="false"
          data-test="edited-payload"
          aria-invalid=${wrong !== ''}
          .value=${this.payload}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.payload = event.target.value)}
        ></textarea>
        ${wrong ? html`<span class="problem" role="status">${wrong}</span>` : ''}
      </label>`;
  }

  async work() {
    const pushed = await requeueEdited(this.letterId, this.consumerGroup, this.payload.trim());
    say(`Pushed as ${pushed}; the dead letter was removed.`);
    return true;
  }
}

defineDialog('hf-replay-edited', ReplayEdited);

/** @param {{ id: string } & Hf.Payload} letter @param {string} consumerGroup */
export const replayEdited = (letter, consumerGroup) =>
  ReplayEdited.open({ letterId: letter.id, consumerGroup, json: letter.data });
