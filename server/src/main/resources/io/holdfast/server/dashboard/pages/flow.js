/** One flow: where it stands, what it waits for, what happened, its parent and its children. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { failedPage, pageHead, panel, tabs } from '../parts/page.js';
import { name, wholeName, at, when, sentenceWithTimes } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { empty } from '../parts/empty.js';
import { skeleton, problem, notice } from '../parts/notice.js';
import { complain } from '../parts/toast.js';
import '../parts/menu.js';
import '../parts/payload.js';
import './flow-history.js';
import './flow-tree.js';
import {
  raiseEvent,
  cancelFlow,
  terminateFlow,
  suspendFlow,
  resumeFlow,
  retryFlow,
  deleteFlow,
} from '../dialogs/flow-acts.js';
import { readFlow } from '../api/flows.js';
import { isNotFound } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { Seconds } from '../lib/clock.js';
import { session } from '../lib/session.js';
import { go, link, toFlow } from '../lib/route.js';
import { between, count, duration, isoDuration, plural } from '../lib/format.js';
import { shownBlock, pieces } from '../lib/text.js';

const EVERY_MS = 3_000;
const OVER = new Set(['completed', 'failed', 'cancelled', 'terminated']);
/** @type {Record<string, [string, string]>} */
const KINDS = {
  call: ['Activity', 'play'],
  timer: ['Timer', 'wait'],
  event: ['Event', 'down'],
  sub: ['Flow', 'flows'],
};

/**
 * The reason why a flow is blocked; lines that compare code and history are marked.
 *
 * @param {string} reason
 */
export function reasonText(reason) {
  const lines = String(reason).split('\n');
  return html`<div class="diff" data-test="flow-reason">${lines.map((line, index) => {
    const kind = /^\s*history:/.test(line) ? 'was' : /^\s*code:/.test(line) ? 'is' : '';
    return html`<span class=${kind}>${shownBlock(line)}</span>${index < lines.length - 1 ? '\n' : ''}`;
  })}</div>`;
}

class FlowPage extends HfElement {
  static properties = {
    flowId: { attribute: false },
    query: { attribute: false },
  };

  constructor() {
    super();
    this.flowId = '';
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.seconds = new Seconds(this);
    this.loader = new Loader(this, (signal) => readFlow(this.flowId, signal), {
      everyMs: EVERY_MS,
    });
  }

  willUpdate() {
    this.loader.want(this.flowId);
  }

  render() {
    const { data, error } = this.loader;
    if (isNotFound(error)) {
      return html`${pageHead({ title: wholeName(this.flowId), crumb: { label: 'Flows', href: link(['flows']) } })}
        <section class="panel">${empty({ title: 'Flow not found', text: 'It was deleted, or the id is wrong.' })}</section>`;
    }
    if (!data) {
      return error ? failedPage('Flow', error, () => this.loader.refresh()) : skeleton();
    }
    const on = this.query.tab ?? 'now';
    return html`${this.head(data)} ${problem(error)}
    ${tabs(
      ['flows', this.flowId],
      [
        { id: 'now', label: 'Status' },
        { id: 'history', label: 'History', tally: count(data.events) },
        { id: 'family', label: 'Parent and children' },
      ],
      on,
    )}
    ${
      on === 'history'
        ? html`<hf-flow-history .flowId=${this.flowId} .query=${this.query} .executions=${data.executions} .length=${data.events}></hf-flow-history>`
        : on === 'family'
          ? html`<hf-flow-tree .flowId=${this.flowId} .parent=${data.parent}></hf-flow-tree>`
          : this.now(data)
    }`;
  }

  /** @param {Hf.Flow} data */
  head(data) {
    const isOver = OVER.has(data.status);
    return pageHead({
      crumb: { label: 'Flows', href: link(['flows']) },
      title: html`${wholeName(data.id)} ${badge(data.status)}`,
      sub: html`${wholeName(data.name)}${data.version ? html` version ${wholeName(data.version)}` : nothing}, started ${when(data.startedAt)},
      ${data.status} since ${at(data.since)}${data.parent ? html`, part of <a href=${toFlow(data.parent)}>${wholeName(data.parent)}</a>` : nothing}`,
      acts: this.acts(data, isOver),
    });
  }

  /** @param {Hf.Flow} data @param {boolean} isOver */
  acts(data, isOver) {
    const consume = session.whyNot('consume');
    const button = (/** @type {string} */ label, /** @type {string} */ drawing, /** @type {string} */ test, /** @type {() => Promise<unknown>} */ act, kind = '') =>
      actButton({
        label,
        drawing: icon(drawing),
        kind,
        whyNot: test === 'raise' ? session.whyNot('push') : consume,
        test,
        act: () => this.then(act()),
      });
    return html`${data.status === 'blocked' || data.status === 'failed' ? button('Retry', 'again', 'retry-flow', () => retryFlow(data), 'primary') : nothing}
      ${isOver ? nothing : button('Raise an event', 'send', 'raise', () => raiseEvent(data.id, this.awaited(data)))}
      ${data.status === 'suspended' ? button('Resume', 'play', 'resume-flow', () => resumeFlow(data.id), 'primary') : nothing}
      ${isOver || data.status === 'suspended' ? nothing : button('Suspend', 'pause', 'suspend-flow', () => suspendFlow(data.id))}
      ${isOver ? nothing : button('Cancel', 'stop', 'cancel-flow', () => cancelFlow(data.id), 'danger')}
      <hf-menu
        label="More acts"
        .items=${[
          ...(isOver
            ? []
            : [
                {
                  label: 'Terminate',
                  icon: 'cross',
                  danger: true,
                  whyNot: consume,
                  test: 'act-terminate',
                  act: () => this.then(terminateFlow(data.id)),
                },
              ]),
          {
            label: 'Delete',
            icon: 'bin',
            danger: true,
            whyNot: session.whyNot('admin'),
            test: 'act-delete-flow',
            act: () => this.remove_(data, isOver),
          },
        ]}
      ></hf-menu>`;
  }

  /**
   * The event it waits for, to prefill the form.
   *
   * @param {Hf.Flow} data
   */
  awaited(data) {
    return data.waitsFor.find(({ kind }) => kind === 'event')?.name ?? '';
  }

  /** @param {Promise<unknown>} act */
  async then(act) {
    try {
      if (await act) {
        this.loader.refresh();
      }
    } catch (error) {
      complain(error);
    }
  }

  /** @param {Hf.Flow} data @param {boolean} isOver */
  async remove_(data, isOver) {
    if (await deleteFlow(data, isOver)) {
      go(['flows']);
    }
  }

  /** @param {Hf.Flow} data */
  now(data) {
    return html`<div class="stack">
      ${data.label ? notice('', html`<strong>Status:</strong> ${pieces(data.label)}`) : nothing} ${this.reason(data)}
      ${data.unreadable ? notice('is-bad', html`Its history cannot be read: ${pieces(data.unreadable)}`) : nothing}
      ${data.messagesKept ? notice('', `${plural(data.messagesKept, 'message')} ${data.messagesKept === 1 ? 'is' : 'are'} kept until it continues.`) : nothing}
      ${this.waits(data)} ${this.result(data)}
    </div>`;
  }

  /** @param {Hf.Flow} data */
  reason(data) {
    if (data.failure) {
      return panel({
        title: 'Failure',
        test: 'failure',
        body: html`<div class="body stack">
          <p><strong>${pieces(data.failure.type)}</strong>: ${pieces(data.failure.message)}</p>
          ${data.failure.stack ? html`<details><summary>Where it happened</summary><div class="error-text">${shownBlock(data.failure.stack)}</div></details>` : nothing}
        </div>`,
      });
    }
    if (!data.reason) {
      return nothing;
    }
    /** @type {Record<string, string>} */
    const titles = {
      blocked: 'Why it is blocked',
      suspended: 'Why it is suspended',
      cancelled: 'Why it was cancelled',
      terminated: 'Why it was terminated',
    };
    return panel({
      title: titles[data.status] ?? 'Why',
      note: data.status === 'blocked' ? 'Deploy code that matches its history, then retry. Nothing is lost.' : undefined,
      body: html`<div class="body">${reasonText(data.reason)}</div>`,
    });
  }

  /** @param {Hf.Flow} data */
  waits(data) {
    if (OVER.has(data.status)) {
      return nothing;
    }
    if (data.waitsFor.length === 0) {
      return panel({
        title: 'Waiting for',
        body: html`<div class="body muted">${data.status === 'pending' ? 'A worker that has its code.' : 'Nothing: it is running, or about to run.'}</div>`,
      });
    }
    return panel({
      title: 'Waiting for',
      note:
        data.waitsForInAll > data.waitsFor.length
          ? `the oldest ${count(data.waitsFor.length)} of ${count(data.waitsForInAll)}`
          : undefined,
      test: 'waits',
      body: html`<ul class="plain waits">
        ${data.waitsFor.map((/** @type {Hf.FlowWait} */ one) => this.wait(one))}
      </ul>`,
    });
  }

  /** @param {Hf.FlowWait} one */
  wait(one) {
    const [word, drawing] = KINDS[one.kind] ?? [one.kind, 'wait'];
    return html`<li data-test="wait">
      ${icon(drawing)}
      <div>
        <div class="line">
          <span>${word} <strong>${one.flow ? html`<a href=${toFlow(one.flow)}>${wholeName(one.flow)}</a>` : wholeName(one.kind === 'timer' ? isoDuration(one.name) : one.name)}</strong></span>
          ${one.flow ? html`<span class="muted">${wholeName(one.name)}</span>` : nothing} ${one.flowStatus ? badge(one.flowStatus) : nothing}
          <span class="when">since ${at(one.since)}, ${duration(Math.max(0, Math.floor((between(one.since, Date.now()) ?? 0) / 1000) * 1000))}</span>
        </div>
        ${one.dueAt ? html`<p class="muted">Due ${at(one.dueAt)}, ${when(one.dueAt)}.</p>` : nothing} ${one.work ? this.work(one.work) : nothing}
      </div>
    </li>`;
  }

  /** @param {Hf.FlowWork} work */
  work(work) {
    return html`<p class="muted">
        ${sentenceWithTimes(work.explain)} ${work.deaths ? `${plural(work.deaths, 'worker')} did not return.` : ''} ${work.worker ? html`With ${name(work.worker)}.` : nothing}
      </p>
      ${work.error ? html`<div class="error-text">${shownBlock(work.error)}</div>` : nothing}`;
  }

  /** @param {Hf.Flow} data */
  result(data) {
    if (data.status !== 'completed') {
      return nothing;
    }
    return panel({
      title: 'Result',
      test: 'result',
      body: html`<div class="body"><hf-payload .json=${data.output} .base64=${data.outputBase64}></hf-payload></div>`,
    });
  }
}

customElements.define('hf-flow', FlowPage);
