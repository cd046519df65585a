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
import { get } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { go, link, toDead, toTask } from '../lib/route.js';
import { count, duration, millis } from '../lib/format.js';
import { shown, pieces, cut } from '../lib/text.js';

const PAGE = 50;
const EVERY_MS = 5_000;
const STATUSES = ['Queued', 'Received', 'Running', 'Failed', 'Complete', 'Dead'];
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** How long it took from one time to another; a dash if one of them is missing. */
const between = (from, to) =>
  millis(from) && millis(to) ? duration(millis(to) - millis(from)) : html`<span class="zero">–</span>`;

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
    cell: (row) => between(row.publishedAt, row.receivedAt),
  },
  {
    label: 'Took',
    num: true,
    hint: 'From its last delivery to its end',
    cell: (row) => between(row.startedAt ?? row.receivedAt, row.endedAt),
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

const WORKER_COLUMNS = [
  { label: 'Device', main: true, wide: true, cell: (row) => name(row.worker) },
  { label: 'Tasks', num: true, cell: (row) => count(row.tasks) },
  { label: 'At work', num: true, cell: (row) => quietZero(row.statuses.Received + row.statuses.Running, count) },
  { label: 'Complete', num: true, cell: (row) => quietZero(row.statuses.Complete, count) },
  { label: 'To be retried', num: true, cell: (row) => quietZero(row.statuses.Failed, count) },
  { label: 'Dead', num: true, cell: (row) => quietZero(row.statuses.Dead, count) },
  { label: 'Attempts per task', num: true, cell: (row) => (row.attempts / row.tasks).toFixed(2) },
  { label: 'Last heard of', num: true, cell: (row) => when(row.lastAt) },
];

class Tasks extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
    this.trail = new Trail(this);
    this.queues = new Loader(this, (signal) => get(['task-queues'], { signal }));
    this.queues.want('queues');
    this.counts = new Loader(this, (signal) => get(['task-counts'], { query: { queue: this.queue }, signal }), {
      everyMs: EVERY_MS,
    });
    this.loader = new Loader(
      this,
      (signal) =>
        get(['tasks'], {
          query: { queue: this.queue, status: this.query.status, limit: PAGE, after: this.trail.after },
          signal,
        }),
      { everyMs: EVERY_MS },
    );
  }

  /** The queue that the address names, else the first there is. */
  get queue() {
    return this.query.queue ?? this.queues.data?.queues[0];
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
    const head = (acts) =>
      pageHead({ title: 'Tasks', sub: 'The life of each message, in queues that track them.', acts });
    if (!data && !this.query.queue) {
      return html`${head()}${error ? problem(error, () => this.queues.refresh()) : skeleton()}`;
    }
    if (this.queue === undefined) {
      return html`${head()}
        <section class="panel">
          ${empty({
            title: 'No queue tracks its messages',
            text: 'With the option track a queue keeps the life of each message: queued, received, running, complete, failed or dead.',
            line: curl(['configure'], { body: { queue: 'irrigation', options: { track: true, delivery: 'shared' } } }),
          })}
        </section>`;
    }
    return html`${head(this.chooser(data))} ${this.statuses()} ${this.totals()} ${this.list()} ${this.workers()}`;
  }

  chooser(data) {
    const names = data?.queues ?? [];
    const all = names.includes(this.queue) ? names : [this.queue, ...names];
    return html`<label class="inline-field">
      <span>Queue</span>
      <select data-test="task-queue" @change=${(event) => go(['tasks'], { queue: event.target.value })}>
        ${all.map((one) => html`<option .value=${one} .selected=${one === this.queue}>${shown(one)}</option>`)}
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
          .rows=${data?.tasks}
          .error=${error}
          .stale=${isStale}
          .empty=${
            status
              ? empty({ title: `No task is ${stateWord(status).toLowerCase()}` })
              : empty({
                  title: 'No tasks yet',
                  text: 'Push a message to this queue; its life shows here.',
                  line: curl(['push'], {
                    body: { items: [{ queue: this.queue, payload: { zone: 'A', minutes: 5 } }] },
                  }),
                })
          }
        ></hf-table>
        ${data ? trailPager({ shown: data.tasks.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}`,
    });
  }

  workers() {
    const { data } = this.counts;
    return panel({
      title: 'Devices',
      note: 'Who worked on the tasks last',
      test: 'devices',
      body: html`<hf-table
        label="Devices"
        test="device-row"
        .columns=${WORKER_COLUMNS}
        .rows=${data?.workers}
        .keyOf=${(row) => row.worker}
        .empty=${empty({ title: 'No device has told its name', text: 'A pop tells it with the parameter worker.' })}
      ></hf-table>`,
    });
  }
}

customElements.define('hf-tasks', Tasks);
