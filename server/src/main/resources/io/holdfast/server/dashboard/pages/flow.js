/** One flow: where it stands, what it waits for, what happened, and its family. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { failedPage, pageHead, panel, tabs, actButton } from '../parts/page.js';
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
import { get } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { Seconds } from '../lib/clock.js';
import { session } from '../lib/session.js';
import { go, link, toFlow } from '../lib/route.js';
import { count, duration, isoDuration, millis, plural } from '../lib/format.js';
import { shownBlock, pieces } from '../lib/text.js';

const EVERY_MS = 3_000;
const OVER = new Set(['completed', 'failed', 'cancelled', 'terminated']);
const KINDS = {
  call: ['Activity', 'play'],
  timer: ['Timer', 'wait'],
  event: ['Event', 'down'],
  sub: ['Flow', 'flows'],
};

/** What the server says of a blocked flow; lines that compare are marked. */
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
    this.seconds = new Seconds(this);
    this.loader = new Loader(this, (signal) => get(['flows', this.flowId], { signal, keep: true }), {
      everyMs: EVERY_MS,
    });
  }

  willUpdate() {
    this.loader.want(this.flowId);
  }

  render() {
    const { data, error } = this.loader;
    if (error?.status === 404) {
      return html`${pageHead({ title: wholeName(this.flowId), crumb: { label: 'Flows', href: link(['flows']) } })}
        <section class="panel">${empty({ title: 'There is no such flow', text: 'It was deleted, or the id has a mistake in it.' })}</section>`;
    }
    if (!data) {
      return error ? failedPage('Flow', error, () => this.loader.refresh()) : skeleton();
    }
    const on = this.query.tab ?? 'now';
    return html`${this.head(data)} ${problem(error)}
    ${tabs(
      ['flows', this.flowId],
      this.query,
      [
        { id: 'now', label: 'Status' },
        { id: 'history', label: 'History', tally: count(data.events) },
        { id: 'family', label: 'Family' },
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

  acts(data, isOver) {
    const consume = session.whyNot('consume');
    const button = (label, drawing, test, act, kind = '') =>
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

  /** The event it waits for, so that nobody has to type its name. */
  awaited(data) {
    return data.waitsFor.find(({ kind }) => kind === 'event')?.name ?? '';
  }

  async then(act) {
    try {
      if (await act) {
        this.loader.refresh();
      }
    } catch (error) {
      complain(error);
    }
  }

  async remove_(data, isOver) {
    if (await deleteFlow(data, isOver)) {
      go(['flows']);
    }
  }

  now(data) {
    return html`<div class="stack">
      ${data.label ? notice('', html`<strong>It says:</strong> ${pieces(data.label)}`) : nothing} ${this.reason(data)}
      ${data.unreadable ? notice('is-bad', html`Its history cannot be read: ${pieces(data.unreadable)}`) : nothing}
      ${data.messagesKept ? notice('', `${plural(data.messagesKept, 'message')} ${data.messagesKept === 1 ? 'is' : 'are'} kept for it until it goes on.`) : nothing}
      ${this.waits(data)} ${this.result(data)}
    </div>`;
  }

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
    const titles = {
      blocked: 'Why it is blocked',
      suspended: 'Why it is suspended',
      cancelled: 'Why it was cancelled',
      terminated: 'Why it was terminated',
    };
    return panel({
      title: titles[data.status] ?? 'Why',
      note: data.status === 'blocked' ? 'Deploy code that fits its history, then retry. Nothing is lost.' : undefined,
      body: html`<div class="body">${reasonText(data.reason)}</div>`,
    });
  }

  waits(data) {
    if (OVER.has(data.status)) {
      return nothing;
    }
    if (data.waitsFor.length === 0) {
      return panel({
        title: 'What it waits for',
        body: html`<div class="body muted">${data.status === 'pending' ? 'A worker that knows its code.' : 'Nothing: it has its turn now, or will at once.'}</div>`,
      });
    }
    return panel({
      title: 'What it waits for',
      note:
        data.waitsForInAll > data.waitsFor.length
          ? `the oldest ${count(data.waitsFor.length)} of ${count(data.waitsForInAll)}`
          : undefined,
      test: 'waits',
      body: html`<ul class="plain waits">
        ${data.waitsFor.map((one) => this.wait(one))}
      </ul>`,
    });
  }

  wait(one) {
    const [word, drawing] = KINDS[one.kind] ?? [one.kind, 'wait'];
    return html`<li data-test="wait">
      ${icon(drawing)}
      <div>
        <div class="line">
          <span>${word} <strong>${one.flow ? html`<a href=${toFlow(one.flow)}>${wholeName(one.flow)}</a>` : wholeName(one.kind === 'timer' ? isoDuration(one.name) : one.name)}</strong></span>
          ${one.flow ? html`<span class="muted">${wholeName(one.name)}</span>` : nothing} ${one.flowStatus ? badge(one.flowStatus) : nothing}
          <span class="when">since ${at(one.since)}, ${duration(Math.max(0, Math.floor((Date.now() - millis(one.since)) / 1000) * 1000))}</span>
        </div>
        ${one.dueAt ? html`<p class="muted">Due ${at(one.dueAt)}, ${when(one.dueAt)}.</p>` : nothing} ${one.work ? this.work(one.work) : nothing}
      </div>
    </li>`;
  }

  work(work) {
    return html`<p class="muted">
        ${sentenceWithTimes(work.explain)} ${work.deaths ? `${plural(work.deaths, 'worker')} did not come back.` : ''} ${work.worker ? html`With ${name(work.worker)}.` : nothing}
      </p>
      ${work.error ? html`<div class="error-text">${shownBlock(work.error)}</div>` : nothing}`;
  }

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
