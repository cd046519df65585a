/** One task: its life from queued to its end, with how long each step took. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { failedPage, pageHead, panel } from '../parts/page.js';
import { at, group, id, wholeName, name, quietZero, sentenceWithTimes } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { timeline } from '../parts/timeline.js';
import { empty } from '../parts/empty.js';
import { skeleton, problem } from '../parts/notice.js';
import '../parts/table.js';
import { readMessage } from '../api/messages.js';
import { readTask } from '../api/tasks.js';
import { isNotFound } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { Seconds } from '../lib/clock.js';
import { attemptEntry } from '../lib/attempts.js';
import { link, toMessage, toQueue } from '../lib/route.js';
import { between as elapsed, count, duration } from '../lib/format.js';
import { shownBlock } from '../lib/text.js';

const EVERY_MS = 3_000;

/** @type {Hf.Column<Hf.TaskGroup>[]} */
const GROUP_COLUMNS = [
  { label: 'Group', main: true, wide: true, cell: (row) => group(row.consumerGroup) },
  { label: 'Status', tight: true, cell: (row) => badge(row.status) },
  { label: 'Device', cell: (row) => (row.worker ? name(row.worker) : html`<span class="zero">–</span>`) },
  { label: 'Attempts', num: true, cell: (row) => quietZero(row.attempts, count) },
];

/** @typedef {{ word: string, time: Hf.Time | null, bad?: boolean }} Step */

class TaskPage extends HfElement {
  static properties = { taskId: { attribute: false } };

  constructor() {
    super();
    this.taskId = '';
    this.seconds = new Seconds(this);
    this.loader = new Loader(this, (signal) => this.load(signal), { everyMs: EVERY_MS });
  }

  /**
   * The message may be gone while the task is still known.
   *
   * @param {AbortSignal} signal
   */
  async load(signal) {
    const task = await readTask(this.taskId, signal);
    const message = await readMessage(this.taskId, signal).catch((error) => {
      if (isNotFound(error)) {
        return null;
      }
      throw error;
    });
    return { task, message };
  }

  willUpdate() {
    this.loader.want(this.taskId);
  }

  render() {
    const { data, error } = this.loader;
    const crumb = { label: 'Tasks', href: link(['tasks'], { queue: data?.task.queue }) };
    if (isNotFound(error)) {
      return html`${pageHead({ title: 'Task', crumb })}
        <section class="panel">
          ${empty({ title: 'Task not found', text: 'A task is forgotten after its end, when its queue no longer retains the settled message.' })}
        </section>`;
    }
    if (!data) {
      return error ? failedPage('Task', error, () => this.loader.refresh()) : skeleton();
    }
    const { task } = data;
    return html`${pageHead({
      crumb,
      title: html`Task ${task.transactionId ? wholeName(task.transactionId) : nothing} ${badge(task.status)}`,
      sub: html`${id(task.id)} in <a href=${toQueue(task.queue)}>${wholeName(task.queue)}</a>`,
      acts: html`<a class="button" href=${toMessage(task.id)} data-test="to-message">${icon('link')}Message and payload</a>`,
    })}
      ${problem(error)} ${panel({ title: 'Steps', body: html`<div class="body">${this.life(task)}</div>` })} ${this.attempts(data)}
      ${panel({
        title: 'Groups',
        note: 'A task is complete when all its groups have settled it',
        body: html`<hf-table
          label="Groups of the task"
          test="task-group-row"
          .columns=${GROUP_COLUMNS}
          .rows=${task.groups}
          .keyOf=${(/** @type {Hf.TaskGroup} */ row) => row.consumerGroup}
          .empty=${empty({ title: 'No group yet', text: 'The first group that pops from the queue gets it.' })}
        ></hf-table>`,
      })}`;
  }

  /** @param {Hf.Task} task */
  life(task) {
    const isOver = task.endedAt !== null;
    const end = task.status === 'Dead' ? 'Dead' : task.status === 'Failed' ? 'Failed, to be retried' : 'Complete';
    /** @type {Step[]} */
    const steps = [
      { word: 'Queued', time: task.publishedAt },
      { word: 'Received', time: task.receivedAt },
      { word: 'Running', time: task.startedAt },
      { word: end, time: task.endedAt, bad: task.status === 'Dead' },
    ];
    const lastDone = steps.findLastIndex(({ time }) => time !== null);
    return html`<ol class="lifeline" data-test="lifeline">
      ${steps.map((step, index) => {
        const kind =
          step.time === null
            ? index < lastDone
              ? 'is-skipped'
              : 'is-ahead'
            : index < lastDone
              ? 'is-past'
              : isOver
                ? 'is-past'
                : 'is-now';
        return html`<li class="${kind} ${step.bad ? 'is-bad' : ''}">
          <span class="spot">${step.time === null ? nothing : icon(step.bad ? 'cross' : 'check')}</span>
          ${this.between(steps, index, lastDone)}
          <strong>${step.word}</strong>
          <span class="muted small">${step.time === null ? (index < lastDone ? 'unknown' : '') : at(step.time, { fine: true })}</span>
        </li>`;
      })}
    </ol>`;
  }

  /**
   * How long it took to the next step that is known; of the last one, how long it lasts already.
   *
   * @param {Step[]} steps
   * @param {number} index
   * @param {number} lastDone
   */
  between(steps, index, lastDone) {
    const { time } = steps[index];
    if (time === null || index === steps.length - 1) {
      return nothing;
    }
    const next = steps.slice(index + 1).find((step) => step.time !== null);
    if (next) {
      return html`<span class="between">${duration(elapsed(time, next.time))}</span>`;
    }
    return index === lastDone
      ? html`<span class="between">${duration(Math.floor((elapsed(time, Date.now()) ?? 0) / 1000) * 1000)} so far</span>`
      : nothing;
  }

  /** @param {{ task: Hf.Task, message: Hf.Message | null }} data */
  attempts({ task, message }) {
    const failed = (message?.groups ?? [])
      .flatMap((one) => one.attempts)
      .sort((a, b) => elapsed(b.endedAt, a.endedAt) ?? 0);
    if (failed.length === 0) {
      return task.error
        ? panel({
            title: 'Last error',
            body: html`<div class="body"><div class="error-text">${shownBlock(task.error)}</div></div>`,
          })
        : nothing;
    }
    return panel({
      title: 'Failed attempts',
      note: `${count(task.attempts)} deliveries in all`,
      body: html`<div class="body stack">
        ${timeline(failed.map(attemptEntry))} ${message ? html`<p class="muted">${sentenceWithTimes(message.explain)}</p>` : nothing}
      </div>`,
    });
  }
}

customElements.define('hf-task', TaskPage);
