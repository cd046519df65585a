/** A message to try a queue with. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { say } from '../parts/toast.js';
import { post } from '../lib/api.js';
import { checkJson } from '../lib/json-check.js';
import { shown } from '../lib/text.js';

/** Properties: queue. */
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

  isReady() {
    return checkJson(this.payload) === '';
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
          @input=${(event) => (this.payload = event.target.value)}
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

  field(key, label, type, hint) {
    return html`<label class="field">
      <span>${label}</span>
      <input
        type=${type}
        min="0"
        autocomplete="off"
        data-test="push-${key}"
        .value=${this[key]}
        @input=${(event) => (this[key] = event.target.value)}
      />
      <span class="hint">${hint}</span>
    </label>`;
  }

  async work() {
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
    // The payload is spliced in as it was typed: parsing it would round large numbers.
    const head = JSON.stringify(item).slice(0, -1);
    const [pushed] = await post(['push'], `{"items":[${head},"payload":${this.payload.trim()}}]}`);
    say(
      pushed.status === 'duplicate'
        ? 'A message of that transaction id was there already; nothing was added.'
        : `Stored as ${pushed.message_id}.`,
    );
    return pushed.message_id;
  }
}

defineDialog('hf-push', Push);

/** Pushes one; promises its id. */
export const pushMessage = (queue) => Push.open({ queue });
