/** The whole broker on one page: what moves, what is held, what needs somebody now. */
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
import { get } from '../lib/api.js';
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

/** How much somebody should hurry, and where to go, by the kind of what is wrong. */
const KINDS = {
  stopped: ['is-bad', () => link(['system'])],
  diskLow: ['is-bad', () => link(['system'])],
  clock: ['is-bad', () => link(['system'])],
  deadGrowing: ['is-bad', (item) => toDead({ queue: item.queue })],
  blockedFlows: ['is-bad', () => link(['flows'], { status: 'blocked' })],
  lagging: [
    'is-warn',
    (item) => (item.group ? toGroups(item.queue, item.group) : toQueue(item.queue, { tab: 'groups' })),
  ],
  paused: ['is-warn', (item) => toQueue(item.queue)],
};

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
    cell: (row) => (row.oldestMs ? duration(row.oldestMs) : html`<span class="zero">–</span>`),
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
      (signal) => get(['status', 'queues'], { query: { sort: 'push', order: 'desc', limit: BUSIEST }, signal }),
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
        title: 'The broker is ready, and empty',
        text: 'Push a first message. Its queue is made by that, and shows here at once.',
        line: curl(['push'], { body: { items: [{ queue: 'orders', payload: { sum: 12 } }] } }),
      }),
    });
  }

  attention(tick) {
    const items = tick?.attention ?? [];
    if (!tick || items.length === 0) {
      return html`<section class="panel attention" data-test="attention">
        <p class="all-well">${tick ? html`${icon('check')} Nothing needs attention.` : html`${icon('wait')} Waiting for the first numbers.`}</p>
      </section>`;
    }
    return html`<section class="panel attention" data-test="attention">
      <header>
        <h2>Needs attention now</h2>
        <span class="muted small">${count(items.length)}</span>
      </header>
      <ul class="plain">
        ${(this.allItems ? items : items.slice(0, ITEMS_SHOWN)).map((item) => this.item(item))}
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

  item(item) {
    const [tone, to] = KINDS[item.kind] ?? ['is-warn', () => undefined];
    const href = to(item);
    const words = item.text.replace(NO_GROUP, 'The group without a name');
    return html`<li class=${tone} data-test="attention-item" data-kind=${item.kind}>
      ${icon(tone === 'is-bad' ? 'warning' : 'info')}
      ${href ? html`<a href=${href}>${pieces(words)}</a>` : html`<span>${pieces(words)}</span>`}
      ${item.since ? html`<span class="since">${when(item.since)}</span>` : nothing}
    </li>`;
  }

  store(tick) {
    if (!tick) {
      return panel({ title: 'Store', body: skeleton(2) });
    }
    const { store, memory, now } = tick;
    return panel({
      title: store ? 'Store' : 'What you may see',
      test: 'store',
      body: html`<div class="body store">
        ${store ? this.disk(store) : nothing} ${memory ? this.memory(memory) : nothing}
        ${
          now.leases === undefined
            ? nothing
            : figure({
                name: 'Leases',
                value: count(now.leases),
                note: plural(now.parked, 'call waits', 'calls wait'),
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

  disk(store) {
    const isSynced = store.durability === 'fsync';
    return html`${figure({
      name: 'An answer survives',
      value: isSynced ? 'a power cut' : 'a crash',
      note: isSynced ? 'fsync before each answer' : 'written, but not fsynced',
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
      note: html`${bytes(store.diskFreeBytes)} free${meter(store.diskBytes, store.diskBytes + store.diskFreeBytes, 'Disk')}`,
      test: 'disk',
    })}`;
  }

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
        .rows=${data?.queues}
        .error=${error}
        .keyOf=${(row) => row.name}
        .empty=${empty({ title: 'No queues yet', text: 'A queue is made by the first push that names it.' })}
      ></hf-table>`,
    });
  }
}

customElements.define('hf-overview', Overview);
