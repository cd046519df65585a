/** The history of a flow: every event of an execution, in order. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel } from '../parts/page.js';
import { timeline } from '../parts/timeline.js';
import { problem, skeleton } from '../parts/notice.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import { preview } from '../parts/preview.js';
import '../parts/payload.js';
import { readHistory } from '../api/flows.js';
import { Loader } from '../lib/loader.js';
import { go } from '../lib/route.js';
import { count, between, duration, isoDuration } from '../lib/format.js';
import { pieces, shownBlock } from '../lib/text.js';

const PAGE = 100;

/** How an event looks, by its kind. */
/** @type {Record<string, [string, Hf.Tone]>} */
const LOOKS = {
  Started: ['send', 'is-info'],
  CallScheduled: ['play', ''],
  StepDone: ['check', 'is-good'],
  Completed: ['check', 'is-good'],
  Failed: ['cross', 'is-bad'],
  TimerSet: ['wait', ''],
  Fired: ['wait', 'is-good'],
  EventAwaited: ['wait', ''],
  Received: ['down', 'is-info'],
  SubStarted: ['flows', ''],
  Launched: ['flows', ''],
  StatusSet: ['info', ''],
  Patched: ['edit', ''],
  CancelRequested: ['stop', 'is-warn'],
  TaskCancelled: ['stop', 'is-warn'],
  Suspended: ['pause', 'is-warn'],
  Resumed: ['play', 'is-good'],
  Rewound: ['again', 'is-warn'],
  Blocked: ['stop', 'is-bad'],
  ContinuedAsNew: ['again', 'is-info'],
  FlowCompleted: ['check', 'is-good'],
  FlowFailed: ['cross', 'is-bad'],
  FlowCancelled: ['stop', 'is-warn'],
  Terminated: ['stop', 'is-bad'],
};

/** @param {string} kind */
function lookOf(kind) {
  const [drawing, tone] = LOOKS[kind] ?? ['info', ''];
  return { icon: drawing, tone };
}

class FlowHistory extends HfElement {
  static properties = {
    flowId: { attribute: false },
    query: { attribute: false },
    executions: { attribute: false },
    length: { attribute: false },
  };

  constructor() {
    super();
    this.flowId = '';
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    /** @type {Hf.Execution[]} */
    this.executions = [];
    this.length = 0;
    this.trail = new Trail(this);
    this.loader = new Loader(this, (signal) =>
      readHistory(this.flowId, { execution: this.query.execution, from: this.trail.after, limit: PAGE }, signal),
    );
  }

  willUpdate() {
    this.trail.of([this.flowId, this.query.execution]);
    this.loader.want([this.flowId, this.query.execution, this.trail.after, this.length], { keep: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    return panel({
      title: 'History',
      test: 'history',
      note: data ? `${count(data.length)} events of execution ${count(data.execution)}` : undefined,
      acts: this.chooser(),
      body: html`<div class="body ${isStale ? 'is-stale' : ''}">${problem(error)}${data ? this.events(data) : error ? nothing : skeleton(8)}</div>
        ${
          data
            ? trailPager({
                shown: data.events.length,
                trail: this.trail.marks,
                next: data.next === null ? undefined : String(data.next),
                to: (marks) => this.trail.to(marks),
              })
            : nothing
        }`,
    });
  }

  chooser() {
    if ((this.executions ?? []).length < 2) {
      return nothing;
    }
    const on = this.query.execution ?? String(this.executions.at(-1)?.number);
    return html`<label class="inline-field">
      <span>Execution</span>
      <select data-test="execution" @change=${(/** @type {Hf.FieldEvent} */ event) => go(['flows', this.flowId], { ...this.query, execution: event.target.value })}>
        ${this.executions.map(({ number }) => html`<option .value=${String(number)} .selected=${String(number) === on}>${number}</option>`)}
      </select>
    </label>`;
  }

  /** @param {Hf.FlowHistory} data */
  events(data) {
    const byNumber = new Map(data.events.map((/** @type {Hf.FlowEvent} */ event) => [event.number, event]));
    return timeline(
      data.events.map((/** @type {Hf.FlowEvent} */ event) => ({
        ...lookOf(event.kind),
        title: html`<span class="muted number">${event.number}</span> ${pieces(isoDuration(event.words))}`,
        note: this.about(event, byNumber.get(event.task ?? -1)),
        time: event.time,
        more: this.more(event),
      })),
    );
  }

  /**
   * The task of an event, and how long it took.
   *
   * @param {Hf.FlowEvent} event
   * @param {Hf.FlowEvent | undefined} begun
   */
  about(event, begun) {
    if (event.task === null) {
      return undefined;
    }
    if (!begun) {
      return `began with event ${event.task}`;
    }
    return html`${pieces(isoDuration(begun.words))}, took ${duration(between(begun.time, event.time))}`;
  }

  /** @param {Hf.FlowEvent} event */
  more(event) {
    const hasPayload = event.payload !== null || event.payloadBase64;
    if (!hasPayload && !event.failure?.stack) {
      return undefined;
    }
    return html`${
      hasPayload
        ? html`<details data-test="event-payload">
          <summary>${preview({ data: event.payload, dataBase64: event.payloadBase64 })}</summary>
          <hf-payload .json=${event.payload} .base64=${event.payloadBase64}></hf-payload>
        </details>`
        : nothing
    }
    ${
      event.failure?.stack
        ? html`<details>
          <summary>Where it happened</summary>
          <div class="error-text">${shownBlock(event.failure.stack)}</div>
        </details>`
        : nothing
    }`;
  }
}

customElements.define('hf-flow-history', FlowHistory);
