/** The messages of a queue in any state, as one group sees them. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { id, name, when, NO_GROUP } from '../parts/words.js';
import { badge, stateWord } from '../parts/badge.js';
import { preview } from '../parts/preview.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import { listGroups } from '../api/groups.js';
import { listMessages } from '../api/messages.js';
import { Loader } from '../lib/loader.js';
import { Typing } from '../lib/typing.js';
import { go, toMessage } from '../lib/route.js';
import { count, fromInput } from '../lib/format.js';
import { shown } from '../lib/text.js';

const PAGE = 50;
const GROUPS_MOST = 200;
const STATES = ['waiting', 'in_flight', 'returned', 'delayed', 'settled', 'dead'];

/** @type {Hf.Column<Hf.MessageRow>[]} */
const COLUMNS = [
  { label: 'Message', main: true, cell: (row) => id(row.id, toMessage(row.id)) },
  { label: 'State', tight: true, cell: (row) => badge(row.state) },
  {
    label: 'Transaction id',
    cell: (row) => (row.transactionId === row.id ? html`<span class="zero">–</span>` : name(row.transactionId)),
  },
  { label: 'Partition', cell: (row) => name(row.partition) },
  { label: 'Lane', num: true, cell: (row) => count(row.priority) },
  {
    label: 'Failed',
    num: true,
    hint: 'How often it failed',
    cell: (row) => (row.retryCount ? count(row.retryCount) : html`<span class="zero">0</span>`),
  },
  { label: 'Pushed', num: true, cell: (row) => when(row.createdAt) },
  { label: 'Payload', rest: true, cell: (row) => preview(row) },
];

class QueueMessages extends HfElement {
  static properties = {
    queue: { attribute: false },
    query: { attribute: false },
    changes: { attribute: false },
  };

  constructor() {
    super();
    this.queue = '';
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.changes = 0;
    this.typing = new Typing();
    this.trail = new Trail(this);
    this.loader = new Loader(this, (signal) =>
      listMessages({ ...this.asked, after: this.trail.after, limit: PAGE }, signal),
    );
    this.groups = new Loader(this, (signal) =>
      listGroups({ queue: this.queue, limit: GROUPS_MOST }, signal),
    );
  }

  get asked() {
    const { status, group, partition, from, to } = this.query;
    return {
      queue: this.queue,
      status,
      consumerGroup: group ?? this.firstGroup,
      partition,
      from: fromInput(from),
      to: fromInput(to),
    };
  }

  /** Whose view it is until one is chosen: theirs who name no group if they read it, else the first that does. */
  get firstGroup() {
    const names = this.groupNames;
    return names.includes(NO_GROUP) ? undefined : names[0];
  }

  get groupNames() {
    return (this.groups.data?.rows ?? []).map((group) => group.name);
  }

  willUpdate() {
    this.groups.want(this.queue);
    if (this.groups.data || this.groups.error) {
      this.trail.of(this.asked);
      this.loader.want([this.asked, this.trail.after, this.changes], { keep: true });
    }
  }

  /** @param {Hf.PlaceQuery} change */
  show(change) {
    go(['queues', this.queue], { ...this.query, ...change }, { replace: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    return html`<section class="panel" data-test="messages">
      ${this.filters()}
      <hf-table
        label="Messages"
        test="message-row"
        .columns=${COLUMNS}
        .rows=${data?.rows}
        .error=${error}
        .stale=${isStale}
        .empty=${this.nothing(data)}
      ></hf-table>
      ${data ? trailPager({ shown: data.rows.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}
    </section>`;
  }

  filters() {
    const { status = '', partition = '', from = '', to = '' } = this.query;
    return html`<div class="filters">
      <label>
        State
        <select data-test="message-state" @change=${(/** @type {Hf.FieldEvent} */ event) => this.show({ status: event.target.value })}>
          <option value="">Any</option>
          ${STATES.map((state) => html`<option .value=${state} .selected=${state === status}>${stateWord(state)}</option>`)}
        </select>
      </label>
      ${this.groupFilter()}
      <label>
        Partition
        <input type="text" data-test="message-partition" placeholder="Any" .value=${partition} @input=${(/** @type {Hf.FieldEvent} */ event) => this.typed('partition', event)} />
      </label>
      <label>
        Pushed from
        <input type="datetime-local" step="1" .value=${from} @change=${(/** @type {Hf.FieldEvent} */ event) => this.show({ from: event.target.value })} />
      </label>
      <label>
        to
        <input type="datetime-local" step="1" .value=${to} @change=${(/** @type {Hf.FieldEvent} */ event) => this.show({ to: event.target.value })} />
      </label>
      <button type="button" class="button" data-test="refresh" @click=${() => this.loader.refresh()}>Reload</button>
    </div>`;
  }

  /** States are a group's view; with one group there is nothing to choose. */
  groupFilter() {
    const names = this.groupNames;
    if (names.length === 0 || (names.length === 1 && names[0] === NO_GROUP)) {
      return nothing;
    }
    const on = this.query.group ?? this.firstGroup ?? NO_GROUP;
    return html`<label>
      As seen by
      <select data-test="message-group" @change=${(/** @type {Hf.FieldEvent} */ event) => this.show({ group: event.target.value })}>
        ${names.map((one) => html`<option .value=${one} .selected=${one === on}>${one === NO_GROUP ? 'default group' : shown(one)}</option>`)}
      </select>
    </label>`;
  }

  /** @param {string} field @param {Hf.FieldEvent} event */
  typed(field, event) {
    const { value } = event.target;
    this.typing.pause(() => this.show({ [field]: value }));
  }

  /** @param {Hf.Page<Hf.MessageRow> | undefined} data */
  nothing(data) {
    if (data?.next) {
      return empty({
        title: 'No match on this page',
        text: 'There are more messages to search: go to the next page.',
      });
    }
    const { status, group, partition, from, to } = this.query;
    if (status || group || partition || from || to) {
      return empty({
        title: 'No message matches',
        text: 'Use fewer filters to see more.',
        acts: html`<button type="button" class="button" @click=${() => go(['queues', this.queue], { tab: 'messages' })}>Show all messages</button>`,
      });
    }
    return empty({
      title: 'The queue holds no messages',
      text: 'Settled messages are retained as long as the option completedRetentionSeconds says.',
      line: curl(['push'], { body: { items: [{ queue: this.queue, payload: { hello: 'world' } }] } }),
    });
  }
}

customElements.define('hf-queue-messages', QueueMessages);
