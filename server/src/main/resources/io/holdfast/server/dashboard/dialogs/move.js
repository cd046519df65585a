/** The dialog that moves messages that wait for a group to another queue. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { group as groupWord, wholeName, NO_GROUP } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { listGroups } from '../api/groups.js';
import { forward, pop } from '../api/messages.js';
import { readQueue, releaseLease } from '../api/queues.js';
import { count, plural } from '../lib/format.js';
import { shown } from '../lib/text.js';

const BATCH = 50;
const PARTITIONS = 50;
const LEASE_SECONDS = 60;
const GROUPS_MOST = 200;

/**
 * Each batch is leased for the group; one commit settles it and pushes it to the other queue. So a message is in one
 * of the two queues at any time, also if the page is closed in between: then the lease expires and the rest returns.
 */
class Move extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    to: { state: true },
    most: { state: true },
    groups: { state: true },
    chosen: { state: true },
    moved: { state: true },
  };

  constructor() {
    super();
    this.queue = '';
    this.to = '';
    this.most = '';
    /** @type {Hf.GroupRow[] | undefined} */
    this.groups = undefined;
    this.chosen = NO_GROUP;
    /** How many were moved; null before it begins. @type {number | null} */
    this.moved = null;
    this.stopping = new AbortController();
  }

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopping.abort();
  }

  async load() {
    try {
      const { rows } = await listGroups({ queue: this.queue, limit: GROUPS_MOST });
      const waiting = (/** @type {Hf.GroupRow} */ row) => row.waiting + row.returned;
      this.chosen = [...rows].sort((a, b) => waiting(b) - waiting(a))[0]?.name ?? NO_GROUP;
      this.groups = rows;
    } catch (error) {
      this.failure = error;
    }
  }

  heading() {
    return `Move messages of ${shown(this.queue)}`;
  }

  submitLabel() {
    return 'Move';
  }

  get danger() {
    return true;
  }

  whyNot() {
    if (this.groups === undefined) {
      return this.failure ? 'The groups could not be read.' : 'Loading the groups.';
    }
    if (this.to === '') {
      return 'Enter the other queue.';
    }
    if (this.to === this.queue) {
      return 'Enter another queue than this one.';
    }
    return this.most === '' || (Number.isInteger(Number(this.most)) && Number(this.most) > 0)
      ? ''
      : 'The number is not valid.';
  }

  get waiting() {
    const row = this.groups?.find(({ name }) => name === this.chosen);
    return row ? row.waiting + row.returned : undefined;
  }

  content() {
    if (this.moved !== null && this.busy) {
      return html`<p role="status" data-test="move-progress">${plural(this.moved, 'message')} moved to ${wholeName(this.to)}.</p>
        <p class="muted">Close this dialog to stop. Messages that are not moved yet stay in the queue.</p>`;
    }
    return html`<p>
        Messages that wait for a group are settled for it and pushed to another queue, both in one commit. They keep their
        payload, partition, priority, transaction id and headers, and get a new id and a new time.
      </p>
      ${this.groupField()}
      <label class="field">
        <span>To queue</span>
        <input
          type="text"
          autofocus
          autocomplete="off"
          spellcheck="false"
          data-test="move-to"
          .value=${this.to}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.to = event.target.value)}
        />
        <span class="hint">A queue that does not exist is created with default options.</span>
      </label>
      <label class="field">
        <span>At most</span>
        <input
          type="number"
          min="1"
          placeholder="All"
          data-test="move-most"
          .value=${this.most}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.most = event.target.value)}
        />
        <span class="hint">Messages that are leased or delayed are not moved.</span>
      </label>`;
  }

  groupField() {
    const { groups = [] } = this;
    if (groups.length === 0) {
      return this.groups
        ? html`<p>No group has read the queue. The messages are moved as the default group, which is created by this.</p>`
        : nothing;
    }
    return html`<label class="field">
      <span>Waiting for</span>
      <select data-test="move-group" @change=${(/** @type {Hf.FieldEvent} */ event) => (this.chosen = event.target.value)}>
        ${groups.map(
          ({ name }) =>
            html`<option .value=${name} .selected=${name === this.chosen}>${name === NO_GROUP ? 'default group' : shown(name)}</option>`,
        )}
      </select>
      <span class="hint">
        ${this.waiting === undefined ? nothing : html`${plural(this.waiting, 'message')} for ${groupWord(this.chosen)}.`}
        ${groups.length > 1 ? `Other groups of the queue still get these messages (${count(groups.length - 1)}).` : nothing}
      </span>
    </label>`;
  }

  async work() {
    // So that a queue that was deleted meanwhile is not created by the pop.
    await readQueue(this.queue);
    this.moved = 0;
    const most = this.most === '' ? Number.POSITIVE_INFINITY : Number(this.most);
    try {
      while (this.moved < most && !this.stopping.signal.aborted) {
        const done = await this.batch(Math.min(BATCH, most - this.moved));
        if (done === 0) {
          break;
        }
        this.moved += done;
      }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new Error(`${plural(this.moved, 'message')} moved, then it stopped: ${text}`, { cause: error });
    }
    say(`${plural(this.moved, 'message')} moved from ${shown(this.queue)} to ${shown(this.to)}.`);
    return true;
  }

  /** Moves the next messages; returns how many. @param {number} size */
  async batch(size) {
    const messages = await pop(this.queue, {
      consumerGroup: this.chosen,
      batch: size,
      partitions: PARTITIONS,
      leaseSeconds: LEASE_SECONDS,
      worker: 'dashboard: move messages',
    });
    if (messages.length === 0) {
      return 0;
    }
    try {
      await forward(messages, this.to);
    } catch (error) {
      await releaseLease(messages[0].leaseId);
      throw error;
    }
    return messages.length;
  }
}

defineDialog('hf-move', Move);

/** @param {string} queue */
export const moveMessages = (queue) => Move.open({ queue });
