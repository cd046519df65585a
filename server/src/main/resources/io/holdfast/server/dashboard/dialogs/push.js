/** A message to try a queue with. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { say } from '../parts/toast.js';
import { push } from '../api/messages.js';
import { checkJson } from '../lib/json-check.js';
import { shown } from '../lib/text.js';

class Push extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    payload: { state: true },
    partition: { state: true },
    transactionId: { state: true },
    priority: { state: true },
    delay: { state: true },
  };

  constructor() {
    super();
    this.queue = '';
    this.payload = '{\n  "hello": "world"\n}';
    this.partition = '';
    this.transactionId = '';
    this.priority = '';
    this.delay = '';
  }

  get large() {
    return true;
  }

  heading() {
    return `Push a message to ${shown(this.queue)}`;
  }

  submitLabel() {
    return 'Push';
  }

  whyNot() {
    return checkJson(this.payload) === '' ? '' : 'The payload is not valid JSON.';
  }

  content() {
    const wrong = checkJson(this.payload);
    return html`<label class="field">
        <span>Payload</span>
        <textarea
          autofocus
          spellcheck="false"
          data-test="push-payload"
          aria-invalid=${wrong !== ''}
          .value=${this.payload}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.payload = event.target.value)}
        ></textarea>
        ${wrong ? html`<span class="problem" role="status">${wrong}</span>` : html`<span class="hint">Any JSON; it is kept byte for byte.</span>`}
      </label>
      <div class="options">
        ${this.field('partition', 'Partition', 'text', 'Its ordering unit. Default if empty.')}
        ${this.field('transactionId', 'Transaction id', 'text', 'A name of your own: a second one of that name is a duplicate.')}
        ${this.field('priority', 'Priority', 'number', 'Its lane; 0 comes first.')}
        ${this.field('delay', 'Delay in seconds', 'number', 'It is not delivered earlier.')}
      </div>`;
  }

  /**
   * @param {'partition' | 'transactionId' | 'priority' | 'delay'} key
   * @param {string} label
   * @param {string} type
   * @param {string} hint
   */
  field(key, label, type, hint) {
    return html`<label class="field">
      <span>${label}</span>
      <input
        type=${type}
        min="0"
        autocomplete="off"
        data-test="push-${key}"
        .value=${this[key]}
        @input=${(/** @type {Hf.FieldEvent} */ event) => (this[key] = event.target.value)}
      />
      <span class="hint">${hint}</span>
    </label>`;
  }

  async work() {
    /** @type {Record<string, unknown>} */
    const item = { queue: this.queue };
    if (this.partition) {
      item.partition = this.partition;
    }
    if (this.transactionId) {
      item.transactionId = this.transactionId;
    }
    if (this.priority) {
      item.priority = Number(this.priority);
    }
    if (this.delay) {
      item.delaySeconds = Number(this.delay);
    }
    const { id, isDuplicate } = await push(item, this.payload.trim());
    say(
      isDuplicate ? 'A message with this transaction id exists; nothing was added.' : `Message ${id} was stored.`,
    );
    return id;
  }
}

defineDialog('hf-push', Push);

/**
 * Pushes one; promises its id.
 *
 * @param {string} queue
 */
export const pushMessage = (queue) => Push.open({ queue });
