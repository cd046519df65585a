/** The depth of a queue, by partition and lane. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel, choice } from '../parts/page.js';
import { name, quietZero, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import { fullestPartitions, listPartitions } from '../api/queues.js';
import { Loader } from '../lib/loader.js';
import { toQueue } from '../lib/route.js';
import { bytes, count } from '../lib/format.js';

const PAGE = 50;
const FULLEST = 10;
const EVERY_MS = 5_000;

const ORDERS = [
  { id: 'fullest', word: 'Fullest first' },
  { id: 'name', word: 'By name' },
];

/** @param {number} value @param {number} most */
const bar = (value, most) =>
  html`<span class="depth-bar" aria-hidden="true"><i .style=${`width: ${most === 0 ? 0 : ((value / most) * 100).toFixed(1)}%`}></i></span>`;

/** With fullest it is a short list for the overview. */
class QueuePartitions extends HfElement {
  static properties = {
    queue: { attribute: false },
    changes: { attribute: false },
    fullest: { type: Boolean },
    order: { state: true },
  };

  constructor() {
    super();
    this.queue = '';
    this.changes = 0;
    this.fullest = false;
    this.order = 'fullest';
    this.trail = new Trail(this);
    this.loader = new Loader(this, (signal) => this.load(signal), { everyMs: EVERY_MS });
  }

  willUpdate() {
    this.trail.of([this.queue, this.order]);
    this.loader.want([this.queue, this.order, this.trail.after, this.changes], { keep: true });
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    if (this.order === 'fullest') {
      const limit = this.fullest ? FULLEST : PAGE;
      const { rows, complete } = await fullestPartitions(this.queue, limit, signal);
      return { order: 'fullest', rows, complete, next: null };
    }
    const { rows, next } = await listPartitions(this.queue, { limit: PAGE, after: this.trail.after }, signal);
    return { order: 'name', rows, complete: true, next };
  }

  /** @param {number} most */
  columns(most) {
    const head = [
      {
        label: 'Partition',
        main: true,
        wide: true,
        cell: (/** @type {Hf.PartitionRow} */ row) =>
          html`<a href=${toQueue(this.queue, { tab: 'messages', partition: row.name })}>${name(row.name)}</a>`,
      },
      { label: 'Waiting', num: true, cell: (/** @type {Hf.PartitionRow} */ row) => quietZero(row.waiting, count) },
      { label: 'In flight', num: true, cell: (/** @type {Hf.PartitionRow} */ row) => quietZero(row.inFlight, count) },
    ];
    if (this.loader.data?.order !== 'name') {
      return [...head.slice(0, 2), { label: 'Depth', bare: true, cell: (/** @type {Hf.PartitionRow} */ row) => bar(row.waiting, most) }, head[2]];
    }
    return [
      ...head,
      { label: 'Returned', num: true, cell: (/** @type {Hf.PartitionRow} */ row) => quietZero(row.returned ?? 0, count) },
      { label: 'Delayed', num: true, cell: (/** @type {Hf.PartitionRow} */ row) => quietZero(row.delayed ?? 0, count) },
      { label: 'Size', num: true, cell: (/** @type {Hf.PartitionRow} */ row) => quietZero(row.bytes ?? 0, bytes) },
      { label: 'Lanes', cell: (/** @type {Hf.PartitionRow} */ row) => this.lanes(row.lanes ?? []) },
      { label: 'Last push', num: true, cell: (/** @type {Hf.PartitionRow} */ row) => when(row.lastPushAt) },
    ];
  }

  /**
   * Nothing is shown for one lane, the usual case.
   *
   * @param {Hf.Lane[]} all
   */
  lanes(all) {
    if (all.length === 0 || (all.length === 1 && all[0].priority === 0)) {
      return html`<span class="zero">–</span>`;
    }
    return html`<span title="Priority: messages that wait">${all.map(({ priority, waiting }, at) => `${at > 0 ? ', ' : ''}${priority}: ${count(waiting)}`)}</span>`;
  }

  render() {
    const { data, error, isStale } = this.loader;
    const most = Math.max(0, ...(data?.rows ?? []).map((row) => row.waiting));
    return panel({
      title: this.fullest ? 'Fullest partitions' : 'Partitions',
      test: 'partitions',
      acts: this.fullest
        ? html`<a href=${toQueue(this.queue, { tab: 'partitions' })}>All partitions</a>`
        : choice('Order', ORDERS, this.order, (order) => (this.order = order)),
      body: html`<hf-table
          label="Partitions"
          test="partition-row"
          .columns=${this.columns(most)}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.PartitionRow} */ row) => row.id}
          .empty=${this.nothing()}
        ></hf-table>
        ${data?.complete === false ? html`<p class="table-note">There are too many partitions to compare all; these are the fullest of those that were read.</p>` : nothing}
        ${
          data && !this.fullest
            ? trailPager({
                shown: data.rows.length,
                trail: this.trail.marks,
                next: data.next,
                to: (marks) => this.trail.to(marks),
              })
            : nothing
        }`,
    });
  }

  nothing() {
    return empty({
      title: 'No partitions',
      text: 'A partition is created by the first push that names it, and removed when it is empty.',
      line: this.fullest
        ? undefined
        : curl(['push'], { body: { items: [{ queue: this.queue, partition: 'customer-7', payload: 1 }] } }),
    });
  }
}

customElements.define('hf-queue-partitions', QueuePartitions);
