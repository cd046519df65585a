/** A dead letter with another payload: the old one goes and the new one is pushed, in one step. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { group as groupWord } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { post } from '../lib/api.js';
import { checkJson } from '../lib/json-check.js';
import { layOut } from '../lib/rawjson.js';

const TOKENS_MOST = 20_000;

/** Properties: id, consumerGroup, json (the payload as it was sent). */
class ReplayEdited extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    payload: { state: true },
  };

  connectedCallback() {
    super.connectedCallback();
    const laidOut = layOut(this.json ?? 'null', TOKENS_MOST);
    this.payload = laidOut ? laidOut.map(({ text }) => text).join('') : this.json;
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

  isReady() {
    return checkJson(this.payload) === '';
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
          @input=${(event) => (this.payload = event.target.value)}
        ></textarea>
        ${wrong ? html`<span class="problem" role="status">${wrong}</span>` : ''}
      </label>`;
  }

  async work() {
    const head = JSON.stringify({ consumerGroup: this.consumerGroup, allGroups: true }).slice(0, -1);
    const { replacedBy } = await post(['dlq', this.id_, 'replay'], `${head},"payload":${this.payload.trim()}}`);
    say(`Pushed as ${replacedBy}; the dead letter is gone.`);
    return true;
  }
}

defineDialog('hf-replay-edited', ReplayEdited);

/** @param letter a dead letter, or a message with its data as text */
export const replayEdited = (letter, consumerGroup) =>
  ReplayEdited.open({ id_: letter.id, consumerGroup, json: letter.data });
