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
import { get } from '../lib/api.js';
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

const bar = (value, most) =>
  html`<span class="depth-bar" aria-hidden="true"><i .style=${`width: ${most === 0 ? 0 : ((value / most) * 100).toFixed(1)}%`}></i></span>`;

/** With fullest it is the short list of an overview. */
class QueuePartitions extends HfElement {
  static properties = {
    queue: { attribute: false },
    changes: { attribute: false },
    fullest: { type: Boolean },
    order: { state: true },
  };

  constructor() {
    super();
    this.order = 'fullest';
    this.trail = new Trail(this);
    this.loader = new Loader(this, (signal) => this.load(signal), { everyMs: EVERY_MS });
  }

  willUpdate() {
    this.trail.of([this.queue, this.order]);
    this.loader.want([this.queue, this.order, this.trail.after, this.changes], { keep: true });
  }

  async load(signal) {
    if (this.order === 'fullest') {
      const limit = this.fullest ? FULLEST : PAGE;
      const { partitions, complete } = await get(['resources', 'partitions'], {
        query: { queue: this.queue, limit },
        signal,
      });
      return { order: 'fullest', rows: partitions.map((row) => ({ ...row, name: row.partition })), complete };
    }
    const query = { limit: PAGE, after: this.trail.after };
    const { partitions, next } = await get(['resources', 'queues', this.queue], { query, signal });
    return { order: 'name', rows: partitions.map((row) => ({ ...row.stats, ...row })), next };
  }

  columns(most) {
    const head = [
      {
        label: 'Partition',
        main: true,
        wide: true,
        cell: (row) =>
          html`<a href=${toQueue(this.queue, { tab: 'messages', partition: row.name })}>${name(row.name)}</a>`,
      },
      { label: 'Waiting', num: true, cell: (row) => quietZero(row.pending, count) },
      { label: 'In flight', num: true, cell: (row) => quietZero(row.processing, count) },
    ];
    if (this.loader.data?.order !== 'name') {
      return [...head.slice(0, 2), { label: 'Depth', bare: true, cell: (row) => bar(row.pending, most) }, head[2]];
    }
    return [
      ...head,
      { label: 'Came back', num: true, cell: (row) => quietZero(row.returned, count) },
      { label: 'Delayed', num: true, cell: (row) => quietZero(row.delayed, count) },
      { label: 'Size', num: true, cell: (row) => quietZero(row.bytes, bytes) },
      { label: 'Lanes', cell: (row) => this.lanes(row.lanes) },
      { label: 'Last push', num: true, cell: (row) => when(row.lastPushAt) },
    ];
  }

  /** One lane is the usual case, and says nothing. */
  lanes(all) {
    if (all.length === 0 || (all.length === 1 && all[0].priority === 0)) {
      return html`<span class="zero">–</span>`;
    }
    return html`<span title="Priority: messages that wait">${all.map(({ priority, pending }, at) => `${at > 0 ? ', ' : ''}${priority}: ${count(pending)}`)}</span>`;
  }

  render() {
    const { data, error, isStale } = this.loader;
    const most = Math.max(0, ...(data?.rows ?? []).map((row) => row.pending));
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
          .keyOf=${(row) => row.partitionId ?? row.id}
          .empty=${this.nothing()}
        ></hf-table>
        ${data?.complete === false ? html`<p class="table-note">There are too many partitions to look at all of them; these are the fullest of those looked at.</p>` : nothing}
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
      text: 'A partition is made by the first push that names it, and goes when nothing of it is left.',
      line: this.fullest
        ? undefined
        : curl(['push'], { body: { items: [{ queue: this.queue, partition: 'customer-7', payload: 1 }] } }),
    });
  }
}

customElements.define('hf-queue-partitions', QueuePartitions);
