/** The tasks of a queue that tracks its messages: how many are where, how often they are tried, who works on them. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { pageHead, panel } from '../parts/page.js';
import { shortId, name, when, quietZero } from '../parts/words.js';
import { badge, stateIcon, stateWord } from '../parts/badge.js';
import { figure } from '../parts/figure.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { problem, skeleton } from '../parts/notice.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import { countTasks, listTaskQueues, listTasks } from '../api/tasks.js';
import { Loader } from '../lib/loader.js';
import { go, link, toDead, toTask } from '../lib/route.js';
import { between, count, duration } from '../lib/format.js';
import { shown, pieces, cut } from '../lib/text.js';

const PAGE = 50;
const EVERY_MS = 5_000;
/** @type {Hf.TaskStatus[]} */
const STATUSES = ['Queued', 'Received', 'Running', 'Failed', 'Complete', 'Dead'];
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/**
 * How long it took from one time to another; a dash if one of them is missing.
 *
 * @param {Hf.MaybeTime} from
 * @param {Hf.MaybeTime} to
 */
const took = (from, to) => {
  const ms = between(from, to);
  return ms === null ? html`<span class="zero">–</span>` : duration(ms);
};

/** @type {Hf.Column<Hf.Task>[]} */
const COLUMNS = [
  { label: 'Task', main: true, tight: true, cell: (row) => shortId(row.id, toTask(row.id)) },
  { label: 'Name', cell: (row) => (row.transactionId ? html`<span class="brief">${name(row.transactionId)}</span>` : html`<span class="zero">–</span>`) },
  { label: 'Status', tight: true, cell: (row) => badge(row.status) },
  { label: 'Device', cell: (row) => (row.worker ? name(row.worker) : html`<span class="zero">–</span>`) },
  { label: 'Attempts', num: true, cell: (row) => quietZero(row.attempts, count) },
  { label: 'Queued', num: true, hint: 'When it was pushed', cell: (row) => when(row.publishedAt) },
  {
    label: 'Waited',
    num: true,
    hint: 'Until it was first delivered',
    cell: (row) => took(row.publishedAt, row.receivedAt),
  },
  {
    label: 'Took',
    num: true,
    hint: 'From its last delivery to its end',
    cell: (row) => took(row.startedAt ?? row.receivedAt, row.endedAt),
  },
  {
    label: 'Last error',
    rest: true,
    cell: (row) =>
      row.error
        ? html`<span class="cut" title=${shown(row.error)}><bdi>${pieces(cut(row.error, 200))}</bdi></span>`
        : html`<span class="zero">–</span>`,
  },
];

/** @type {Hf.Column<Hf.TaskWorker>[]} */
const WORKER_COLUMNS = [
  { label: 'Device', main: true, wide: true, cell: (row) => name(row.worker) },
  { label: 'Tasks', num: true, cell: (row) => count(row.tasks) },
  { label: 'At work', num: true, cell: (row) => quietZero(row.statuses.Received + row.statuses.Running, count) },
  { label: 'Complete', num: true, cell: (row) => quietZero(row.statuses.Complete, count) },
  { label: 'To be retried', num: true, cell: (row) => quietZero(row.statuses.Failed, count) },
  { label: 'Dead', num: true, cell: (row) => quietZero(row.statuses.Dead, count) },
  { label: 'Attempts per task', num: true, cell: (row) => (row.attempts / row.tasks).toFixed(2) },
  { label: 'Last seen', num: true, cell: (row) => when(row.lastAt) },
];

class Tasks extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.trail = new Trail(this);
    this.queues = new Loader(this, (signal) => listTaskQueues(signal));
    this.queues.want('queues');
    this.counts = new Loader(this, (signal) => countTasks(this.queue, signal), {
      everyMs: EVERY_MS,
    });
    this.loader = new Loader(
      this,
      (signal) =>
        listTasks(
          { queue: this.queue, status: this.query.status, limit: PAGE, after: this.trail.after },
          signal,
        ),
      { everyMs: EVERY_MS },
    );
  }

  /** The queue that the address names, else the first there is. */
  get queue() {
    return this.query.queue ?? this.queues.data?.[0];
  }

  willUpdate() {
    if (this.queue !== undefined) {
      const { status } = this.query;
      this.trail.of([this.queue, status]);
      this.counts.want(this.queue, { keep: true });
      this.loader.want([this.queue, status, this.trail.after], { keep: true });
    }
  }

  render() {
    const { data, error } = this.queues;
    /** @param {Hf.Content} [acts] */
    const head = (acts) =>
      pageHead({ title: 'Tasks', sub: 'The status of each message, in queues with the option track.', acts });
    if (!data && !this.query.queue) {
      return html`${head()}${error ? problem(error, () => this.queues.refresh()) : skeleton()}`;
    }
    if (this.queue === undefined) {
      return html`${head()}
        <section class="panel">
          ${empty({
            title: 'No queue tracks its messages',
            text: 'With the option track, a queue records the status of each message: queued, received, running, complete, failed or dead.',
            line: curl(['configure'], { body: { queue: 'irrigation', options: { track: true, delivery: 'shared' } } }),
          })}
        </section>`;
    }
    return html`${head(this.chooser(this.queue, data ?? []))} ${this.statuses()} ${this.totals()} ${this.list()} ${this.workers()}`;
  }

  /** @param {string} queue @param {string[]} names */
  chooser(queue, names) {
    const all = names.includes(queue) ? names : [queue, ...names];
    return html`<label class="inline-field">
      <span>Queue</span>
      <select data-test="task-queue" @change=${(/** @type {Hf.FieldEvent} */ event) => go(['tasks'], { queue: event.target.value })}>
        ${all.map((one) => html`<option .value=${one} .selected=${one === queue}>${shown(one)}</option>`)}
      </select>
    </label>`;
  }

  statuses() {
    const { data } = this.counts;
    const on = this.query.status;
    return html`<nav class="statuses" aria-label="Tasks by status">
      ${STATUSES.map(
        (status) =>
          html`<a
            href=${link(['tasks'], { queue: this.query.queue ?? this.queue, status: on === status ? undefined : status })}
            aria-current=${on === status ? 'true' : nothing}
            data-test="status-${status}"
          >
            <span class="name">${stateIcon(status)}${status === 'Failed' ? 'To be retried' : stateWord(status)}</span>
            <span class="value">${count(data?.statuses[status])}</span>
          </a>`,
      )}
    </nav>`;
  }

  totals() {
    const { data, error } = this.counts;
    if (!data) {
      return error ? problem(error, () => this.counts.refresh()) : nothing;
    }
    const tried = data.tasks - data.statuses.Queued;
    const ended = data.statuses.Complete + data.statuses.Dead;
    return html`<section class="panel" data-test="task-totals">
      <div class="body store">
        ${figure({
          name: 'Retry rate',
          value: tried ? PERCENT.format(data.retried / tried) : '–',
          note: `${count(data.retried)} of ${count(tried)} tried again`,
          test: 'retry-rate',
        })}
        ${figure({
          name: 'Dead',
          value: ended ? PERCENT.format(data.statuses.Dead / ended) : '–',
          note: data.statuses.Dead
            ? html`<a href=${toDead({ queue: this.queue })}>${count(data.statuses.Dead)} dead letters</a>`
            : `of ${count(ended)} that ended`,
        })}
        ${figure({ name: 'Attempts per task', value: tried ? (data.attempts / tried).toFixed(2) : '–', note: `${count(data.attempts)} deliveries` })}
        ${figure({ name: 'Average wait', value: duration(data.waitMs), note: 'until first delivered' })}
        ${figure({ name: 'Average work', value: duration(data.workMs), note: 'from then to the end' })}
      </div>
      ${data.complete ? nothing : html`<p class="table-note">Counted over the oldest ${count(data.tasks)} tasks; there are more.</p>`}
    </section>`;
  }

  list() {
    const { data, error, isStale } = this.loader;
    const { status } = this.query;
    return panel({
      title: status ? `${status} tasks` : 'Tasks',
      note: 'Oldest first',
      acts: status ? html`<a href=${link(['tasks'], { queue: this.queue })}>Show all</a>` : nothing,
      body: html`<hf-table
          label="Tasks"
          test="task-row"
          .columns=${COLUMNS}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .empty=${
            status
              ? empty({ title: `No task is ${stateWord(status).toLowerCase()}` })
              : empty({
                  title: 'No tasks yet',
                  text: 'Push a message to this queue; its status appears here.',
                  line: curl(['push'], {
                    body: { items: [{ queue: this.queue, payload: { zone: 'A', minutes: 5 } }] },
                  }),
                })
          }
        ></hf-table>
        ${data ? trailPager({ shown: data.rows.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}`,
    });
  }

  workers() {
    const { data } = this.counts;
    return panel({
      title: 'Devices',
      note: 'Devices that had the tasks last',
      test: 'devices',
      body: html`<hf-table
        label="Devices"
        test="device-row"
        .columns=${WORKER_COLUMNS}
        .rows=${data?.workers}
        .keyOf=${(/** @type {Hf.Task} */ row) => row.worker}
        .empty=${empty({ title: 'No device is known', text: 'A pop names its device with the parameter worker.' })}
      ></hf-table>`,
    });
  }
}

customElements.define('hf-tasks', Tasks);
