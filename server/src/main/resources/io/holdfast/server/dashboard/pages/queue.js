/** One queue: what moves through it, what it holds and where, who reads it, and what can be done with it. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { failedPage, pageHead, tabs, choice } from '../parts/page.js';
import { wholeName } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { skeleton } from '../parts/notice.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { problem } from '../parts/notice.js';
import { ratesPanel, heldPanel } from '../parts/panels.js';
import { complain } from '../parts/toast.js';
import '../parts/menu.js';
import './queue-partitions.js';
import './queue-messages.js';
import './queue-groups.js';
import './queue-leases.js';
import './queue-settings.js';
import './queue-tail.js';
import { configureQueue } from '../dialogs/queue-options.js';
import { pauseQueue, resumeQueue, purgeQueue, deleteQueue } from '../dialogs/queue-acts.js';
import { moveMessages } from '../dialogs/move.js';
import { pushMessage } from '../dialogs/push.js';
import { readQueue } from '../api/queues.js';
import { isNotFound } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { live, LiveTicks } from '../lib/live.js';
import { Series, SPANS } from '../lib/series.js';
import { session } from '../lib/session.js';
import { go, link, toDead, toQueue } from '../lib/route.js';
import { bytes, count, plural, ago } from '../lib/format.js';

const EVERY_MS = 5_000;

class QueuePage extends HfElement {
  static properties = {
    name: { attribute: false },
    query: { attribute: false },
    span: { state: true },
    changes: { state: true },
  };

  constructor() {
    super();
    this.name = '';
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.span = '1h';
    this.changes = 0;
    this.ticks = new LiveTicks(this);
    this.series = new Series(this);
    this.loader = new Loader(
      this,
      (signal) => readQueue(this.name, signal),
      {
        everyMs: EVERY_MS,
      },
    );
  }

  willUpdate() {
    this.loader.want(this.name);
    // One that is not there, or not for this token, would end the numbers of all else.
    live.watch(this.loader.data && !this.loader.error ? this.name : null);
    if ((this.query.tab ?? 'overview') === 'overview') {
      this.series.show(this.span, this.name);
    }
  }

  /** The newest numbers: of the tick if it is of this queue, else of the last answer. @returns {Hf.QueueNow | undefined} */
  get now() {
    const ticked = this.ticks.tick?.queue;
    if (ticked?.name === this.name) {
      return ticked;
    }
    return this.loader.data?.counts;
  }

  render() {
    const { data, error } = this.loader;
    if (data === undefined) {
      return isNotFound(error) ? this.missing() : error ? failedPage('Queue', error, () => this.loader.refresh()) : skeleton(8);
    }
    if (isNotFound(error)) {
      return this.missing();
    }
    const on = this.query.tab ?? 'overview';
    return html`${this.head(data)} ${problem(error)}
    ${tabs(
      ['queues', this.name],
      [
        { id: 'overview', label: 'Overview' },
        { id: 'messages', label: 'Messages' },
        { id: 'partitions', label: 'Partitions', tally: count(data.partitions) },
        { id: 'groups', label: 'Groups', tally: count(data.groups) },
        { id: 'leases', label: 'Leases' },
        { id: 'tail', label: 'Live tail' },
        { id: 'options', label: 'Options' },
      ],
      on,
    )}
    ${this.tab(on, data)}`;
  }

  missing() {
    return html`${pageHead({ title: wholeName(this.name), crumb: { label: 'Queues', href: link(['queues']) } })}
      <section class="panel">
        ${empty({
          title: 'Queue not found',
          text: 'It may have been deleted. A push to this name creates it.',
          line: curl(['push'], { body: { items: [{ queue: this.name, payload: 1 }] } }),
        })}
      </section>`;
  }

  /** @param {Hf.QueueInfo} data */
  head(data) {
    const admin = session.whyNot('admin');
    const facts = [
      data.namespace ? html`namespace ${wholeName(data.namespace)}` : null,
      data.task ? html`task ${wholeName(data.task)}` : null,
      `${data.options.delivery} delivery`,
      `${bytes(data.counts.bytes)} stored`,
      `created ${ago(data.createdAt)}`,
    ].filter(Boolean);
    return pageHead({
      crumb: { label: 'Queues', href: link(['queues']) },
      title: html`${wholeName(this.name)}${data.paused ? badge('paused') : nothing}`,
      sub: facts.map((fact, at) => html`${at > 0 ? ' · ' : ''}${fact}`),
      acts: html`${actButton({
        label: 'Push a message',
        drawing: icon('send'),
        kind: 'primary',
        whyNot: session.whyNot('push'),
        test: 'push-message',
        act: () => this.then(pushMessage(this.name)),
      })}
        ${
          data.paused
            ? actButton({
                label: 'Resume',
                drawing: icon('play'),
                whyNot: admin,
                test: 'resume-queue',
                act: () => this.then(resumeQueue(this.name)),
              })
            : actButton({
                label: 'Pause',
                drawing: icon('pause'),
                whyNot: admin,
                test: 'pause-queue',
                act: () => this.then(pauseQueue(this.name)),
              })
        }
        <hf-menu label="More acts" .items=${this.more(data, admin)}></hf-menu>`,
    });
  }

  /** @param {Hf.QueueInfo} data @param {string} admin */
  more(data, admin) {
    return [
      {
        label: 'Options',
        icon: 'gear',
        whyNot: session.whyNot('consume'),
        test: 'act-options',
        act: () => this.then(configureQueue(this.name, data.options)),
      },
      {
        label: 'Move messages…',
        icon: 'hand',
        whyNot: session.whyNot('consume') || session.whyNot('push'),
        test: 'act-move',
        act: () => this.then(moveMessages(this.name)),
      },
      { label: 'Dead letters', icon: 'dead', act: () => go(['dead'], { queue: this.name }) },
      null,
      {
        label: 'Purge',
        icon: 'stop',
        danger: true,
        whyNot: admin,
        test: 'act-purge',
        act: () => this.then(purgeQueue(this.name)),
      },
      { label: 'Delete', icon: 'bin', danger: true, whyNot: admin, test: 'act-delete', act: () => this.remove_() },
    ];
  }

  /** @param {Promise<unknown>} act */
  async then(act) {
    try {
      if (await act) {
        this.changes++;
        this.loader.refresh();
      }
    } catch (error) {
      complain(error);
    }
  }

  async remove_() {
    try {
      if (await deleteQueue(this.name)) {
        go(['queues']);
      }
    } catch (error) {
      complain(error);
    }
  }

  /** @param {string} on @param {Hf.QueueInfo} data */
  tab(on, data) {
    const { name, query, changes } = this;
    switch (on) {
      case 'messages':
        return html`<hf-queue-messages .queue=${name} .query=${query} .changes=${changes}></hf-queue-messages>`;
      case 'partitions':
        return html`<hf-queue-partitions .queue=${name} .changes=${changes}></hf-queue-partitions>`;
      case 'groups':
        return html`<hf-queue-groups .queue=${name} .changes=${changes}></hf-queue-groups>`;
      case 'leases':
        return html`<hf-queue-leases .queue=${name} .changes=${changes}></hf-queue-leases>`;
      case 'tail':
        return html`<hf-queue-tail .queue=${name}></hf-queue-tail>`;
      case 'options':
        return html`<hf-queue-settings .options=${data.options} @edit=${() => this.then(configureQueue(name, data.options))}></hf-queue-settings>`;
      default:
        return this.overview(data);
    }
  }

  /** @param {Hf.QueueInfo} data */
  overview(data) {
    const { now } = this;
    const rates = {
      push: now?.pushPerSecond,
      pop: now?.popPerSecond,
      ack: now?.ackPerSecond,
      nack: now?.nackPerSecond,
    };
    /** @param {string} state */
    const toMessages = (state) => toQueue(this.name, { tab: 'messages', status: state });
    return html`<div class="page-head">
        <p class="titles muted">${this.summary(data, now)}</p>
        <div class="acts">${choice('Span of the charts', SPANS, this.span, (span) => (this.span = span))}</div>
      </div>
      ${problem(this.series.error)}
      <div class="grid">
        ${ratesPanel(rates, this.series)}
        ${heldPanel(now, this.series, {
          waiting: toMessages('waiting'),
          inFlight: toQueue(this.name, { tab: 'leases' }),
          delayed: toMessages('delayed'),
          dead: now?.dead ? toDead({ queue: this.name }) : undefined,
        })}
      </div>
      <hf-queue-groups .queue=${this.name} .changes=${this.changes}></hf-queue-groups>
      <hf-queue-partitions .queue=${this.name} .changes=${this.changes} fullest></hf-queue-partitions>`;
  }

  /** @param {Hf.QueueInfo} data @param {Hf.Counts | undefined} now */
  summary(data, now) {
    if (data.paused) {
      return 'Paused: no messages are delivered until it is resumed.';
    }
    if (!data.groups) {
      return 'No consumer yet: a group is created by its first pop.';
    }
    return `${plural(data.groups, 'group')} read${data.groups === 1 ? 's' : ''} ${plural(data.partitions, 'partition')}${now?.returned ? `; ${plural(now.returned, 'message')} returned and will be delivered again` : ''}.`;
  }
}

customElements.define('hf-queue', QueuePage);
