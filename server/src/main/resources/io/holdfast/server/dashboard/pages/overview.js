/** The whole broker on one page: rates, counts, and what needs attention. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { pageHead, panel, choice } from '../parts/page.js';
import { figure, meter } from '../parts/figure.js';
import { ratesPanel, heldPanel } from '../parts/panels.js';
import { nameLink, quietZero, when, NO_GROUP } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { skeleton } from '../parts/notice.js';
import '../parts/table.js';
import { listQueues } from '../api/queues.js';
import { Loader } from '../lib/loader.js';
import { LiveTicks } from '../lib/live.js';
import { Series, SPANS } from '../lib/series.js';
import { link, toQueue, toGroups, toDead } from '../lib/route.js';
import { bytes, count, duration, plural, rate, waits } from '../lib/format.js';
import { pieces } from '../lib/text.js';

const BUSIEST = 8;
const BUSIEST_EVERY_MS = 4_000;

/** More than these wait for a click: the charts should stay in sight. */
const ITEMS_SHOWN = 3;

/** The tone and the page of each kind of alert. */
/** @type {Record<string, [Hf.Tone, (item: Hf.Attention) => string | undefined]>} */
const KINDS = {
  stopped: ['is-bad', () => link(['system'])],
  diskLow: ['is-bad', () => link(['system'])],
  clock: ['is-bad', () => link(['system'])],
  deadGrowing: ['is-bad', (item) => toDead({ queue: item.queue })],
  blockedFlows: ['is-bad', () => link(['flows'], { status: 'blocked' })],
  lagging: [
    'is-warn',
    (item) => (item.group ? toGroups(item.queue ?? '', item.group) : toQueue(item.queue ?? '', { tab: 'groups' })),
  ],
  paused: ['is-warn', (item) => toQueue(item.queue ?? '')],
};

/** @type {Hf.Column<Hf.QueueRow>[]} */
const COLUMNS = [
  {
    label: 'Queue',
    main: true,
    wide: true,
    cell: (row) => html`${nameLink(row.name, toQueue(row.name))}${row.paused ? badge('paused') : nothing}`,
  },
  { label: 'Push/s', num: true, cell: (row) => quietZero(row.pushPerSecond, rate) },
  { label: 'Pop/s', num: true, cell: (row) => quietZero(row.popPerSecond, rate) },
  { label: 'Ack/s', num: true, cell: (row) => quietZero(row.ackPerSecond, rate) },
  { label: 'Waiting', num: true, cell: (row) => quietZero(waits(row), count) },
  { label: 'In flight', num: true, cell: (row) => quietZero(row.inFlight, count) },
  {
    label: 'Dead',
    num: true,
    cell: (row) => (row.dead ? html`<a href=${toDead({ queue: row.name })}>${count(row.dead)}</a>` : quietZero(0)),
  },
  {
    label: 'Oldest',
    num: true,
    cell: (row) => (row.oldestMs && waits(row) ? duration(row.oldestMs) : html`<span class="zero">–</span>`),
  },
];

class Overview extends HfElement {
  static properties = {
    span: { state: true },
    allItems: { state: true },
  };

  constructor() {
    super();
    this.span = '1h';
    this.allItems = false;
    this.ticks = new LiveTicks(this);
    this.series = new Series(this);
    this.busiest = new Loader(
      this,
      (signal) => listQueues({ sort: 'push', order: 'desc', limit: BUSIEST }, signal),
      { everyMs: BUSIEST_EVERY_MS },
    );
    this.busiest.want('busiest');
  }

  willUpdate() {
    this.series.show(this.span);
  }

  render() {
    const { tick } = this.ticks;
    const isNew = tick?.now.queues === 0;
    return html`${pageHead({
      title: 'Overview',
      acts: choice('Span of the charts', SPANS, this.span, (span) => (this.span = span)),
    })}
      ${
        isNew
          ? this.welcome()
          : html`${this.attention(tick)}
      <div class="grid">
        ${ratesPanel(tick?.rates, this.series)}
        ${heldPanel(tick?.now, this.series, { dead: tick?.now.dead ? link(['dead']) : undefined })}
      </div>
      ${this.store(tick)} ${this.queues()}`
      }`;
  }

  welcome() {
    return panel({
      body: empty({
        title: 'The broker is ready and has no queues',
        text: 'Push a first message: it creates its queue, which then appears here.',
        line: curl(['push'], { body: { items: [{ queue: 'orders', payload: { sum: 12 } }] } }),
      }),
    });
  }

  /** @param {Hf.Tick | null} tick */
  attention(tick) {
    const items = tick?.attention ?? [];
    if (!tick || items.length === 0) {
      return html`<section class="panel attention" data-test="attention">
        <p class="all-well">${tick ? html`${icon('check')} Nothing needs attention.` : html`${icon('wait')} Loading.`}</p>
      </section>`;
    }
    return html`<section class="panel attention" data-test="attention">
      <header>
        <h2>Needs attention now</h2>
        <span class="muted small">${count(items.length)}</span>
      </header>
      <ul class="plain">
        ${(this.allItems ? items : items.slice(0, ITEMS_SHOWN)).map((/** @type {Hf.Attention} */ item) => this.item(item))}
      </ul>
      ${
        items.length > ITEMS_SHOWN
          ? html`<p class="table-note">
            <button type="button" class="button small" data-test="more-attention" @click=${() => (this.allItems = !this.allItems)}>
              ${this.allItems ? 'Show fewer' : `Show ${count(items.length - ITEMS_SHOWN)} more`}
            </button>
          </p>`
          : nothing
      }
    </section>`;
  }

  /** @param {Hf.Attention} item */
  item(item) {
    const [tone, to] = KINDS[item.kind] ?? ['is-warn', () => undefined];
    const href = to(item);
    const words = item.text.replace(NO_GROUP, 'The default group');
    return html`<li class=${tone} data-test="attention-item" data-kind=${item.kind}>
      ${icon(tone === 'is-bad' ? 'warning' : 'info')}
      ${href ? html`<a href=${href}>${pieces(words)}</a>` : html`<span>${pieces(words)}</span>`}
      ${item.since ? html`<span class="since">${when(item.since)}</span>` : nothing}
    </li>`;
  }

  /** @param {Hf.Tick | null} tick */
  store(tick) {
    if (!tick) {
      return panel({ title: 'Store', body: skeleton(2) });
    }
    const { store, memory, now } = tick;
    return panel({
      title: store ? 'Store' : 'Your queues',
      test: 'store',
      body: html`<div class="body store">
        ${store ? this.disk(store) : nothing} ${memory ? this.memory(memory) : nothing}
        ${
          now.leases === undefined
            ? nothing
            : figure({
                name: 'Leases',
                value: count(now.leases),
                note: plural(now.parked ?? 0, 'waiting call'),
                test: 'leases',
              })
        }
        ${figure({
          name: 'Queues',
          value: count(now.queues),
          href: link(['queues']),
          note: `${plural(now.partitions, 'partition')}, ${plural(now.groups, 'group')}`,
          test: 'queues',
        })}
      </div>`,
    });
  }

  /** @param {Hf.Store} store */
  disk(store) {
    const isSynced = store.durability === 'fsync';
    return html`${figure({
      name: 'Durability',
      value: isSynced ? 'fsync' : 'written',
      note: isSynced ? 'answers survive a power cut' : 'answers survive a crash of the process',
      test: 'durability',
    })}
    ${figure({
      name: 'Fsync',
      value: store.fsyncPerSecond ? duration(store.fsyncMs) : '–',
      note: `${rate(store.fsyncPerSecond)} per second`,
      test: 'fsync',
    })}
    ${figure({
      name: 'Disk',
      value: bytes(store.diskBytes),
      note: html`${bytes(store.diskFreeBytes)} free${meter(store.diskBytes, (store.diskBytes ?? 0) + (store.diskFreeBytes ?? 0), 'Disk')}`,
      test: 'disk',
    })}`;
  }

  /** @param {Hf.Memory} memory */
  memory(memory) {
    return figure({
      name: 'Memory',
      value: bytes(memory.rss ?? memory.heapUsed),
      note: html`heap ${bytes(memory.heapUsed)} of ${bytes(memory.heapMax)}${meter(memory.heapUsed, memory.heapMax, 'Heap')}`,
      test: 'memory',
    });
  }

  queues() {
    const { data, error } = this.busiest;
    return panel({
      title: 'Busiest queues',
      acts: html`<a href=${link(['queues'])}>All queues</a>`,
      body: html`<hf-table
        label="Busiest queues"
        test="queue-row"
        .columns=${COLUMNS}
        .rows=${data?.rows}
        .error=${error}
        .keyOf=${(/** @type {Hf.QueueRow} */ row) => row.name}
        .empty=${empty({ title: 'No queues yet', text: 'A queue is created by the first push that names it.' })}
      ></hf-table>`,
    });
  }
}

customElements.define('hf-overview', Overview);
