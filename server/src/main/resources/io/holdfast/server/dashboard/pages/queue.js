/** One queue: what moves through it, what it holds and where, who reads it, and what can be done with it. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { failedPage, pageHead, tabs, actButton, choice } from '../parts/page.js';
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
import { configureQueue } from '../dialogs/queue-options.js';
import { pauseQueue, resumeQueue, purgeQueue, deleteQueue } from '../dialogs/queue-acts.js';
import { pushMessage } from '../dialogs/push.js';
import { get } from '../lib/api.js';
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
    this.span = '1h';
    this.changes = 0;
    this.ticks = new LiveTicks(this);
    this.series = new Series(this);
    this.loader = new Loader(
      this,
      (signal) => get(['resources', 'queues', this.name], { query: { limit: 1 }, signal }),
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

  /** The newest numbers: of the tick if it is of this queue, else of the last answer. */
  get now() {
    const ticked = this.ticks.tick?.queue;
    if (ticked?.name === this.name) {
      return ticked;
    }
    const totals = this.loader.data?.totals;
    return totals
      ? {
          waiting: totals.pending - totals.returned,
          inFlight: totals.processing,
          returned: totals.returned,
          delayed: totals.delayed,
          dead: totals.deadLetter,
          bytes: totals.bytes,
        }
      : undefined;
  }

  render() {
    const { data, error } = this.loader;
    if (data === undefined) {
      return error?.status === 404 ? this.missing() : error ? failedPage('Queue', error, () => this.loader.refresh()) : skeleton(8);
    }
    if (error?.status === 404) {
      return this.missing();
    }
    const on = this.query.tab ?? 'overview';
    return html`${this.head(data)} ${problem(error)}
    ${tabs(
      ['queues', this.name],
      this.query,
      [
        { id: 'overview', label: 'Overview' },
        { id: 'messages', label: 'Messages' },
        { id: 'partitions', label: 'Partitions', tally: count(data.partitionCount) },
        { id: 'groups', label: 'Groups', tally: count(data.groups) },
        { id: 'leases', label: 'Leases' },
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
          title: 'There is no such queue',
          text: 'It may have been deleted. A push to this name makes it anew.',
          line: curl(['push'], { body: { items: [{ queue: this.name, payload: 1 }] } }),
        })}
      </section>`;
  }

  head(data) {
    const admin = session.whyNot('admin');
    const facts = [
      data.namespace ? html`namespace ${wholeName(data.namespace)}` : null,
      data.task ? html`task ${wholeName(data.task)}` : null,
      `${data.options.delivery} delivery`,
      `${bytes(data.totals.bytes)} stored`,
      `made ${ago(data.createdAt)}`,
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

  more(data, admin) {
    return [
      {
        label: 'Options',
        icon: 'gear',
        whyNot: session.whyNot('consume'),
        test: 'act-options',
        act: () => this.then(configureQueue(this.name, data.options)),
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
      case 'options':
        return html`<hf-queue-settings .options=${data.options} @edit=${() => this.then(configureQueue(name, data.options))}></hf-queue-settings>`;
      default:
        return this.overview(data);
    }
  }

  overview(data) {
    const { now } = this;
    const rates = {
      push: now?.pushPerSecond,
      pop: now?.popPerSecond,
      ack: now?.ackPerSecond,
      nack: now?.nackPerSecond,
    };
    const tells = (state) => toQueue(this.name, { tab: 'messages', status: state });
    return html`<div class="page-head">
        <p class="titles muted">${this.summary(data, now)}</p>
        <div class="acts">${choice('Span of the charts', SPANS, this.span, (span) => (this.span = span))}</div>
      </div>
      ${problem(this.series.error)}
      <div class="grid">
        ${ratesPanel(rates, this.series)}
        ${heldPanel(now, this.series, {
          waiting: tells('waiting'),
          inFlight: toQueue(this.name, { tab: 'leases' }),
          delayed: tells('delayed'),
          dead: now?.dead ? toDead({ queue: this.name }) : undefined,
        })}
      </div>
      <hf-queue-groups .queue=${this.name} .changes=${this.changes}></hf-queue-groups>
      <hf-queue-partitions .queue=${this.name} .changes=${this.changes} fullest></hf-queue-partitions>`;
  }

  summary(data, now) {
    if (data.paused) {
      return 'Paused: nothing is delivered until it is resumed.';
    }
    if (!data.groups) {
      return 'Nobody has read it yet: a group is made by its first pop.';
    }
    return `${plural(data.groups, 'group')} read${data.groups === 1 ? 's' : ''} ${plural(data.partitionCount, 'partition')}${now?.returned ? `; ${plural(now.returned, 'message')} came back and will be delivered again` : ''}.`;
  }
}

customElements.define('hf-queue', QueuePage);
