/** All flows: how many stand where, and which they are. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { pageHead, panel } from '../parts/page.js';
import { name, nameLink, when, quietZero } from '../parts/words.js';
import { badge, stateIcon, stateWord } from '../parts/badge.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import { startFlow, purgeFlows } from '../dialogs/flow-acts.js';
import { countFlows, listFlows } from '../api/flows.js';
import { Loader } from '../lib/loader.js';
import { Typing } from '../lib/typing.js';
import { session } from '../lib/session.js';
import { go, link, toFlow, toQueue } from '../lib/route.js';
import { count } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 5_000;
/** @type {Hf.FlowStatus[]} */
const STATUSES = ['running', 'pending', 'suspended', 'blocked', 'failed', 'completed', 'cancelled', 'terminated'];

/** @type {Hf.Column<Hf.FlowRow>[]} */
const COLUMNS = [
  { label: 'Flow', main: true, wide: true, cell: (row) => nameLink(row.id, toFlow(row.id)) },
  { label: 'Name', cell: (row) => name(row.name) },
  { label: 'Version', cell: (row) => (row.version ? name(row.version) : html`<span class="zero">–</span>`) },
  { label: 'Status', tight: true, cell: (row) => badge(row.status) },
  { label: 'Has a parent', cell: (row) => (row.hasParent ? 'yes' : html`<span class="zero">–</span>`) },
  { label: 'Started', num: true, cell: (row) => when(row.startedAt) },
  { label: 'Since', hint: 'Since when it has this status', num: true, cell: (row) => when(row.since) },
];

/** @type {Hf.Column<Hf.FlowWorkRow>[]} */
const WORK_COLUMNS = [
  { label: 'Queue', main: true, wide: true, cell: (row) => nameLink(row.queue, toQueue(row.queue)) },
  {
    label: 'For',
    cell: (row) =>
      row.tag === null ? 'turns of flows' : row.tag === '' ? 'activities' : html`activities on ${name(row.tag)}`,
  },
  { label: 'Waiting', num: true, cell: (row) => quietZero(row.waiting, count) },
  { label: 'With a worker', num: true, cell: (row) => quietZero(row.inFlight, count) },
  { label: 'Returned', num: true, cell: (row) => quietZero(row.returned, count) },
  { label: 'Timers', num: true, cell: (row) => quietZero(row.delayed, count) },
  { label: 'Dead', num: true, cell: (row) => quietZero(row.dead, count) },
];

class Flows extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.typing = new Typing();
    this.trail = new Trail(this);
    this.counts = new Loader(this, (signal) => countFlows(signal), { everyMs: EVERY_MS });
    this.counts.want('counts');
    this.loader = new Loader(
      this,
      (signal) => listFlows({ ...this.filter, limit: PAGE, after: this.trail.after }, signal),
      { everyMs: EVERY_MS },
    );
  }

  get filter() {
    const { status, name: called } = this.query;
    return { status, name: called };
  }

  willUpdate() {
    this.trail.of(this.filter);
    this.loader.want([this.filter, this.trail.after], { keep: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    const { status, name: called = '' } = this.query;
    return html`${pageHead({
      title: 'Flows',
      sub: 'Durable functions: their progress is stored, and they resume after a crash.',
      acts: html`${actButton({
        label: 'Delete ended flows…',
        drawing: icon('bin'),
        whyNot: session.whyNot('admin'),
        test: 'purge-flows',
        act: () => this.then(purgeFlows(this.filter)),
      })}
          ${actButton({
            label: 'Start a flow',
            drawing: icon('plus'),
            kind: 'primary',
            whyNot: session.whyNot('push'),
            test: 'start-flow',
            act: () => this.start(),
          })}`,
    })}
      ${this.statuses()}
      <section class="panel" data-test="flows">
        <div class="filters">
          <label class="wide">
            Name of the code
            <input type="search" placeholder="Any; the whole name" data-test="flow-name" .value=${called} @input=${this.typed} />
          </label>
        </div>
        <hf-table
          label="Flows"
          test="flow-row"
          .columns=${COLUMNS}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .empty=${this.nothing(status, called)}
        ></hf-table>
        ${data ? trailPager({ shown: data.rows.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}
      </section>
      ${this.work()}`;
  }

  statuses() {
    const { data } = this.counts;
    const on = this.query.status;
    const more = data && !data.exact ? '+' : '';
    return html`<nav class="statuses" aria-label="Flows by status">
      ${STATUSES.map(
        (status) =>
          html`<a
            href=${link(['flows'], { ...this.query, status: on === status ? undefined : status })}
            aria-current=${on === status ? 'true' : nothing}
            data-test="status-${status}"
          >
            <span class="name">${stateIcon(status)}${stateWord(status)}</span>
            <span class="value">${count(data?.flows[status])}${data?.flows[status] ? more : ''}</span>
          </a>`,
      )}
    </nav>`;
  }

  work() {
    const { data } = this.counts;
    return data?.queues.length
      ? panel({
          title: 'Work for workers',
          note: 'Queues of turns and activities',
          body: html`<hf-table label="Work for workers" test="work-row" .columns=${WORK_COLUMNS} .rows=${data.queues} .keyOf=${(/** @type {Hf.FlowWorkRow} */ row) => row.queue}></hf-table>`,
        })
      : nothing;
  }

  /** @param {Hf.FieldEvent} event */
  typed(event) {
    const { value } = event.target;
    this.typing.pause(() => go(['flows'], { ...this.query, name: value }, { replace: true }));
  }

  /** @param {Promise<unknown>} act */
  async then(act) {
    if (await act) {
      this.loader.refresh();
      this.counts.refresh();
    }
  }

  async start() {
    const id = await startFlow();
    if (id) {
      go(['flows', id]);
    }
  }

  /** @param {string | undefined} status @param {string} called */
  nothing(status, called) {
    if (status || called) {
      return empty({
        title: 'No flow matches',
        acts: html`<button type="button" class="button" @click=${() => go(['flows'])}>Show all flows</button>`,
      });
    }
    return empty({
      title: 'No flows yet',
      text: 'A flow is a function in plain Java that survives crashes and deploys. Write one, run a worker, and start it, here or so:',
      line: curl(['flows'], { body: { id: 'order-17', name: 'order', input: { customer: 'Ada' } } }),
    });
  }
}

customElements.define('hf-flows', Flows);
