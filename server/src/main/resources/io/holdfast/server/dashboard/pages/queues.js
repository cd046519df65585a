/** All queues: found by name, sorted and paged by the server. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { pageHead } from '../parts/page.js';
import { nameLink, name, quietZero } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { offsetPager } from '../parts/pager.js';
import { complain } from '../parts/toast.js';
import '../parts/table.js';
import '../parts/menu.js';
import { createQueue, configureQueue } from '../dialogs/queue-options.js';
import { pauseQueue, resumeQueue, purgeQueue, deleteQueue } from '../dialogs/queue-acts.js';
import { listQueues, readQueue } from '../api/queues.js';
import { Loader } from '../lib/loader.js';
import { Typing } from '../lib/typing.js';
import { shown } from '../lib/text.js';
import { session } from '../lib/session.js';
import { go, toQueue, toDead } from '../lib/route.js';
import { bytes, count, duration, rate, waits } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 4_000;

const STATES = [
  ['', 'All queues'],
  ['paused', 'Paused'],
  ['dead', 'With dead letters'],
  ['lagging', 'Lagging'],
];

class Queues extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.typing = new Typing();
    this.loader = new Loader(this, (signal) => listQueues(this.asked, signal), {
      everyMs: EVERY_MS,
    });
    /** @type {Hf.Column<Hf.QueueRow>[]} */
    this.columns = [
      {
        label: 'Name',
        sort: 'name',
        main: true,
        wide: true,
        cell: (row) => html`${nameLink(row.name, toQueue(row.name))}${row.paused ? badge('paused') : nothing}`,
      },
      { label: 'Namespace', cell: (row) => (row.namespace ? name(row.namespace) : html`<span class="zero">–</span>`) },
      { label: 'Waiting', num: true, sort: 'waiting', cell: (row) => quietZero(waits(row), count) },
      { label: 'In flight', num: true, sort: 'inFlight', cell: (row) => quietZero(row.inFlight, count) },
      { label: 'Delayed', num: true, cell: (row) => quietZero(row.delayed, count) },
      {
        label: 'Dead',
        num: true,
        sort: 'dead',
        cell: (row) => (row.dead ? html`<a href=${toDead({ queue: row.name })}>${count(row.dead)}</a>` : quietZero(0)),
      },
      {
        label: 'Oldest',
        num: true,
        sort: 'oldest',
        hint: 'How long the oldest message has been waiting',
        cell: (row) => (row.oldestMs && waits(row) ? duration(row.oldestMs) : html`<span class="zero">–</span>`),
      },
      { label: 'Push/s', num: true, sort: 'push', cell: (row) => quietZero(row.pushPerSecond, rate) },
      { label: 'Pop/s', num: true, sort: 'pop', cell: (row) => quietZero(row.popPerSecond, rate) },
      { label: 'Ack/s', num: true, sort: 'ack', cell: (row) => quietZero(row.ackPerSecond, rate) },
      { label: 'Size', num: true, cell: (row) => quietZero(row.bytes, bytes) },
      {
        label: 'Acts',
        bare: true,
        tight: true,
        cell: (row) => html`<hf-menu small .label=${`Acts on ${shown(row.name)}`} .items=${this.acts(row)}></hf-menu>`,
      },
    ];
  }

  /** The query in the address. */
  get asked() {
    const { search, state, sort = 'name', order = 'asc', offset = 0 } = this.query;
    return { search, state, sort, order, offset, limit: PAGE };
  }

  willUpdate() {
    this.loader.want(this.asked, { keep: true });
  }

  /**
   * Goes to the same list, seen otherwise.
   *
   * @param {Hf.PlaceQuery} change
   */
  show(change) {
    go(['queues'], { ...this.query, offset: undefined, ...change }, { replace: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    const { search = '', state = '', sort = 'name', order = 'asc' } = this.query;
    return html`${pageHead({
      title: 'Queues',
      acts: actButton({
        label: 'Create a queue',
        drawing: icon('plus'),
        kind: 'primary',
        whyNot: session.whyNot('consume'),
        test: 'create-queue',
        act: () => this.create(),
      }),
    })}
      <section class="panel">
        <div class="filters">
          <label class="wide">
            Name
            <input type="search" data-test="queue-search" placeholder="Part of a name" .value=${search} @input=${this.typed} />
          </label>
          <label>
            Show
            <select data-test="queue-state" @change=${(/** @type {Hf.FieldEvent} */ event) => this.show({ state: event.target.value })}>
              ${STATES.map(([value, word]) => html`<option .value=${value} .selected=${value === state}>${word}</option>`)}
            </select>
          </label>
        </div>
        <hf-table
          label="Queues"
          test="queue-row"
          .columns=${this.columns}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.QueueRow} */ row) => row.name}
          sort=${sort}
          order=${order}
          .empty=${this.nothing(search, state)}
          @sort=${(/** @type {Hf.SortEvent} */ event) => this.show(event.detail)}
        ></hf-table>
        ${
          data
            ? offsetPager({
                offset: data.offset,
                limit: PAGE,
                shown: data.rows.length,
                total: data.total,
                to: (offset) => this.show({ offset: offset ? String(offset) : undefined }),
              })
            : nothing
        }
      </section>`;
  }

  /** @param {string} search @param {string} state */
  nothing(search, state) {
    if (search || state) {
      return empty({
        title: 'No queue matches',
        text: 'Use fewer filters to see more.',
        acts: html`<button type="button" class="button" @click=${() => this.show({ search: undefined, state: undefined })}>Show all queues</button>`,
      });
    }
    return empty({
      title: 'No queues yet',
      text: 'A queue is created by the first push that names it, or here.',
      line: curl(['push'], { body: { items: [{ queue: 'orders', payload: { sum: 12 } }] } }),
    });
  }

  /** @param {Hf.FieldEvent} event */
  typed(event) {
    const search = event.target.value;
    this.typing.pause(() => this.show({ search }));
  }

  /** @param {Hf.QueueRow} row */
  acts(row) {
    const admin = session.whyNot('admin');
    return [
      {
        label: 'Options',
        icon: 'gear',
        whyNot: session.whyNot('consume'),
        test: 'act-options',
        act: () => this.configure(row),
      },
      row.paused
        ? {
            label: 'Resume',
            icon: 'play',
            whyNot: admin,
            test: 'act-resume',
            act: () => this.then(resumeQueue(row.name)),
          }
        : {
            label: 'Pause',
            icon: 'pause',
            whyNot: admin,
            test: 'act-pause',
            act: () => this.then(pauseQueue(row.name)),
          },
      null,
      {
        label: 'Purge',
        icon: 'stop',
        danger: true,
        whyNot: admin,
        test: 'act-purge',
        act: () => this.then(purgeQueue(row.name)),
      },
      {
        label: 'Delete',
        icon: 'bin',
        danger: true,
        whyNot: admin,
        test: 'act-delete',
        act: () => this.then(deleteQueue(row.name)),
      },
    ];
  }

  /**
   * Loads again once something was done.
   *
   * @param {Promise<unknown>} act
   */
  async then(act) {
    try {
      if (await act) {
        this.loader.refresh();
      }
    } catch (error) {
      complain(error);
    }
  }

  /** @param {Hf.QueueRow} row */
  async configure(row) {
    try {
      const { options } = await readQueue(row.name);
      await this.then(configureQueue(row.name, options));
    } catch (error) {
      complain(error);
    }
  }

  async create() {
    const made = await createQueue();
    if (made) {
      go(['queues', made]);
    }
  }
}

customElements.define('hf-queues', Queues);
