/** Tokens: making one, which shows it this once, and revoking one. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { notice } from '../parts/notice.js';
import { wholeName } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { createToken as create, revokeToken as revoke } from '../api/system.js';
import { shown } from '../lib/text.js';

const ROLES = [
  ['read-only', 'To look, and to change nothing.'],
  ['write-only', 'To push, and to see nothing.'],
  ['read-write', 'All that producers and consumers do.'],
  ['admin', 'Everything, also to delete, purge, seek and make tokens.'],
];

const DAY = 86_400;
const TIMES = [
  ['', 'Never'],
  [String(DAY), 'In a day'],
  [String(30 * DAY), 'In 30 days'],
  [String(90 * DAY), 'In 90 days'],
  [String(365 * DAY), 'In a year'],
];

class NewToken extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    chosen: { state: true },
    name: { state: true },
    queues: { state: true },
    expires: { state: true },
    made: { state: true },
  };

  constructor() {
    super();
    this.chosen = 'read-only';
    this.name = '';
    this.queues = '';
    this.expires = String(90 * DAY);
    /** @type {{ token: string } | null} */
    this.made = null;
  }

  heading() {
    return this.made ? 'The new token' : 'Create a token';
  }

  submitLabel() {
    return this.made ? '' : 'Create the token';
  }

  content() {
    return this.made ? this.result() : this.form();
  }

  form() {
    return html`<label class="field">
        <span>Name</span>
        <input
          type="text"
          autofocus
          autocomplete="off"
          data-test="token-name"
          .value=${this.name}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.name = event.target.value)}
        />
        <span class="hint">For people: who or what uses it.</span>
      </label>
      <fieldset class="field">
        <legend>Role</legend>
        ${ROLES.map(
          ([role, text]) =>
            html`<label class="check field">
              <input type="radio" name="role" data-test="role-${role}" .checked=${this.chosen === role} @change=${() => (this.chosen = role)} />
              <span>${role}<span class="hint">${text}</span></span>
            </label>`,
        )}
      </fieldset>
      <label class="field">
        <span>Queues</span>
        <input
          type="text"
          autocomplete="off"
          placeholder="All"
          data-test="token-queues"
          .value=${this.queues}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.queues = event.target.value)}
        />
        <span class="hint">Names with commas between, * for any text: orders.*, invoices. Empty: all.</span>
      </label>
      <label class="field">
        <span>Ends</span>
        <select data-test="token-expires" @change=${(/** @type {Hf.FieldEvent} */ event) => (this.expires = event.target.value)}>
          ${TIMES.map(([value, word]) => html`<option .value=${value} .selected=${value === this.expires}>${word}</option>`)}
        </select>
      </label>`;
  }

  result() {
    const token = this.made?.token ?? '';
    return html`${notice('is-warn', 'Copy it now: it is shown this once, and cannot be shown again.')}
      <p></p>
      <div class="command"><code tabindex="0" data-test="token-text">${token}</code><hf-copy .text=${token} label="Copy the token"></hf-copy></div>
      <p class="muted">Programs send it as <code>Authorization: Bearer …</code>; the command line takes it from HOLDFAST_TOKEN.</p>`;
  }

  async work() {
    /** @type {Parameters<typeof create>[0]} */
    const body = { role: this.chosen };
    if (this.name.trim()) {
      body.name = this.name.trim();
    }
    const queues = this.queues
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    if (queues.length > 0) {
      body.queues = queues;
    }
    if (this.expires) {
      body.expiresSeconds = Number(this.expires);
    }
    this.made = await create(body);
    return HfDialog.STAY;
  }

  leave() {
    if (this.made) {
      this.end(true);
    } else {
      super.leave();
    }
  }
}

defineDialog('hf-new-token', NewToken);

export const createToken = () => NewToken.open();

/** @param {Hf.Token} token */
export function revokeToken(token) {
  return confirm({
    title: 'Revoke the token?',
    body: html`<p>
      <strong>${wholeName(token.name)}</strong> (${token.id}, ${token.role}) opens nothing from now on. Programs that use it are refused at once. It cannot
      be undone.
    </p>`,
    label: 'Revoke',
    act: async () => {
      await revoke(token.id);
      say(`The token ${shown(token.name)} is revoked.`);
    },
  });
}
