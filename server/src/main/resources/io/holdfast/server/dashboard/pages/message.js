/** One message: where it is and why, for each group; what happened to it; what it carries; what can be done. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { failedPage, pageHead, panel } from '../parts/page.js';
import { id, name, group as groupWord, wholeName, at, when, sentenceWithTimes } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { timeline } from '../parts/timeline.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { skeleton, problem } from '../parts/notice.js';
import { complain } from '../parts/toast.js';
import '../parts/payload.js';
import {
  cancelMessage,
  rescheduleMessage,
  releaseMessage,
  killMessage,
  requeueMessage,
  removeDeadLetter,
} from '../dialogs/message-acts.js';
import { replayEdited } from '../dialogs/replay-edited.js';
import { readMessage } from '../api/messages.js';
import { isNotFound } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { Seconds } from '../lib/clock.js';
import { session } from '../lib/session.js';
import { lifeOf } from '../lib/attempts.js';
import { traceEntry } from '../parts/trace.js';
import { tracesOf } from '../api/traces.js';
import { go, link, toQueue } from '../lib/route.js';
import { count, duration, millis, plural } from '../lib/format.js';
import { pieces } from '../lib/text.js';

const EVERY_MS = 3_000;

/** States by urgency: the head of the page shows the first that any group has. */
const WORST = ['dead', 'returned', 'in_flight', 'waiting', 'delayed', 'settled'];

/**
 * Whether no group will be delivered it any more, as it stands.
 *
 * @param {Hf.Message} data
 */
function isOver(data) {
  return data.groups.length > 0 && data.groups.every(({ state }) => state === 'dead' || state === 'settled');
}

class MessagePage extends HfElement {
  static properties = { messageId: { attribute: false } };

  constructor() {
    super();
    this.messageId = '';
    this.seconds = new Seconds(this);
    this.loader = new Loader(this, (signal) => readMessage(this.messageId, signal), {
      everyMs: EVERY_MS,
    });
    this.traces = new Loader(
      this,
      (signal) => {
        const { partitionId, transactionId, id: messageId } = /** @type {Hf.Message} */ (this.loader.data);
        return tracesOf(partitionId, transactionId ?? messageId, signal);
      },
      { everyMs: 2 * EVERY_MS },
    );
  }

  willUpdate() {
    const { data } = this.loader;
    if (data) {
      this.traces.want(data.id);
    }
    this.loader.want(this.messageId);
  }

  render() {
    const { data, error } = this.loader;
    if (isNotFound(error)) {
      return this.missing();
    }
    if (data === undefined) {
      return error ? failedPage('Message', error, () => this.loader.refresh()) : skeleton(8);
    }
    return html`${this.head(data)} ${problem(error)}
      <div class="grid message-grid">
        <div class="stack">
          ${data.groups.map((group) => this.group(data, group))} ${data.groups.length === 0 ? this.unread(data) : nothing}
        </div>
        <div class="stack">${this.facts(data)} ${this.headers(data)} ${this.notes()}</div>
      </div>
      ${panel({
        title: 'Payload',
        body: html`<div class="body"><hf-payload .json=${data.data} .base64=${data.dataBase64}></hf-payload></div>`,
      })}`;
  }

  missing() {
    return html`${pageHead({ title: 'Message', sub: html`<code>${pieces(this.messageId)}</code>`, crumb: { label: 'Queues', href: link(['queues']) } })}
      <section class="panel">
        ${empty({
          title: 'Message not found',
          text: 'It was cancelled, purged, or settled and no longer retained; or the id is wrong.',
          line: curl(['messages'], { query: { queue: 'orders', limit: 10 } }),
        })}
      </section>`;
  }

  /** @param {Hf.Message} data */
  head(data) {
    const state = WORST.find((one) => data.groups.some((/** @type {Hf.MessageGroup} */ group) => group.state === one));
    return pageHead({
      crumb: { label: html`<bdi>${pieces(data.queue)}</bdi>`, href: toQueue(data.queue, { tab: 'messages' }) },
      title: html`Message ${state ? badge(state) : nothing}`,
      sub: html`<span data-test="explain">${sentenceWithTimes(data.explain)}</span>`,
      acts: isOver(data) ? nothing : this.wholeActs(data),
    });
  }

  /**
   * Actions for all groups at once.
   *
   * @param {Hf.Message} data
   */
  wholeActs(data) {
    const consume = session.whyNot('consume');
    return html`${actButton({
      label: 'Reschedule',
      drawing: icon('wait'),
      whyNot: consume,
      test: 'reschedule',
      act: () => this.then(rescheduleMessage(data)),
    })}
    ${actButton({
      label: 'Cancel',
      drawing: icon('stop'),
      kind: 'danger',
      whyNot: consume,
      test: 'cancel-message',
      act: () => this.cancel(data),
    })}`;
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

  /** @param {Hf.Message} data */
  async cancel(data) {
    if (await cancelMessage(data)) {
      go(['queues', data.queue], { tab: 'messages' });
    }
  }

  /** @param {Hf.Message} data */
  unread(data) {
    return panel({
      title: 'No consumer yet',
      body: html`<div class="body">${timeline([
        { title: html`<strong>Pushed</strong>`, time: data.createdAt, icon: 'send' },
        { title: 'Waiting for a first group', icon: 'wait', open: true },
      ])}</div>`,
    });
  }

  /** @param {Hf.Message} data @param {Hf.MessageGroup} group */
  group(data, group) {
    return html`<section class="panel" data-test="message-group" data-group=${group.consumerGroup}>
      <header>
        <h2>${groupWord(group.consumerGroup)}</h2>
        ${badge(group.state)}
        <div class="acts">${this.acts(data, group)}</div>
      </header>
      <div class="body stack">
        ${group.explain === data.explain ? nothing : html`<p>${sentenceWithTimes(group.explain)}</p>`}
        ${this.held(group)} ${timeline(lifeOf(data, group))}
      </div>
    </section>`;
  }

  /**
   * How much longer a lease holds it.
   *
   * @param {Hf.MessageGroup} group
   */
  held(group) {
    const until = millis(group.leaseExpiresAt);
    if (group.state !== 'in_flight' || until === null) {
      return nothing;
    }
    const left = until - Date.now();
    return html`<p class="muted">
      Lease <code>${group.leaseId}</code> ${left > 0 ? `has ${duration(Math.floor(left / 1000) * 1000)} left` : 'has ended'}.
    </p>`;
  }

  /** @param {Hf.Message} data @param {Hf.MessageGroup} group */
  acts(data, group) {
    const consume = session.whyNot('consume');
    /** @param {string} label @param {string} drawing @param {string} test @param {Promise<unknown>} act */
    const button = (
      /** @type {string} */ label,
      /** @type {string} */ drawing,
      /** @type {string} */ test,
      /** @type {() => Promise<unknown>} */ act,
      more = {},
    ) =>
      actButton({
        label,
        drawing: icon(drawing),
        kind: 'small',
        whyNot: consume,
        test,
        act: () => this.then(act()),
        ...more,
      });
    switch (group.state) {
      case 'in_flight':
        return html`${button('Release', 'back', 'release', () => releaseMessage(data, group))}
        ${button('Kill', 'cross', 'kill', () => killMessage(data, group), { kind: 'small danger' })}`;
      case 'returned':
        return button('Kill', 'cross', 'kill', () => killMessage(data, group), { kind: 'small danger' });
      case 'dead':
        return html`${button('Requeue', 'again', 'requeue', () => requeueMessage(data, group.consumerGroup), { kind: 'small primary' })}
        ${data.dataBase64 ? nothing : button('Edit and requeue', 'edit', 'requeue-edited', () => replayEdited(data, group.consumerGroup))}
        ${button('Remove', 'bin', 'remove-dead', () => removeDeadLetter(data, group.consumerGroup), {
          kind: 'small danger',
          whyNot: session.whyNot('admin'),
        })}`;
      default:
        return nothing;
    }
  }

  /** @param {Hf.Message} data */
  facts(data) {
    return panel({
      title: 'Properties',
      body: html`<dl class="facts body">
        <dt>Id</dt>
        <dd>${id(data.id)} <hf-copy .text=${data.id} label="Copy the id" wordless></hf-copy></dd>
        <dt>Transaction id</dt>
        <dd>${data.transactionId ? wholeName(data.transactionId) : html`<span class="muted">none</span>`}</dd>
        <dt>Queue</dt>
        <dd><a href=${toQueue(data.queue)}>${wholeName(data.queue)}</a></dd>
        <dt>Partition</dt>
        <dd><a href=${toQueue(data.queue, { tab: 'messages', partition: data.partition })}>${wholeName(data.partition)}</a> <span class="muted">(${data.partitionId})</span></dd>
        <dt>Lane and number</dt>
        <dd>${count(data.priority)}, ${count(data.seq)}</dd>
        <dt>Pushed</dt>
        <dd>${at(data.createdAt)} <span class="muted">(${when(data.createdAt)})</span></dd>
        <dt>Visible</dt>
        <dd>${at(data.visibleAt)} <span class="muted">(${when(data.visibleAt)})</span></dd>
      </dl>`,
    });
  }

  /** Notes of consumers about it. */
  notes() {
    const all = this.traces.data ?? [];
    if (all.length === 0) {
      return problem(this.traces.error);
    }
    return panel({
      title: plural(all.length, 'trace'),
      test: 'traces',
      body: html`<div class="body">${timeline(all.map(traceEntry))}</div>`,
    });
  }

  /** @param {Hf.Message} data */
  headers(data) {
    const all = Object.entries(data.headers ?? {});
    if (all.length === 0) {
      return nothing;
    }
    return panel({
      title: plural(all.length, 'header'),
      body: html`<dl class="facts body" data-test="headers">
        ${all.map(([key, value]) => html`<dt>${name(key)}</dt><dd>${wholeName(value)}</dd>`)}
      </dl>`,
    });
  }
}

customElements.define('hf-message', MessagePage);
