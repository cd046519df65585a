/** Dead letters: what they died of, which they are, and the ways back or out. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { pageHead, actButton } from '../parts/page.js';
import { shortId, nameLink, group, when } from '../parts/words.js';
import { preview } from '../parts/preview.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { trailPager } from '../parts/pager.js';
import { jobsPanel } from '../parts/jobs.js';
import { Trail } from '../parts/trail.js';
import { complain, say } from '../parts/toast.js';
import '../parts/table.js';
import '../parts/menu.js';
import './dead-errors.js';
import { requeueMany, removeMany, requeuePicked, removePicked } from '../dialogs/dead-acts.js';
import { requeueMessage, removeDeadLetter } from '../dialogs/message-acts.js';
import { replayEdited } from '../dialogs/replay-edited.js';
import { address, get } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { Jobs } from '../lib/jobs.js';
import { session } from '../lib/session.js';
import { go, toMessage, toQueue } from '../lib/route.js';
import { count, fromInput, plural } from '../lib/format.js';
import { pieces, cut, shown } from '../lib/text.js';

const PAGE = 50;
const EVERY_MS = 5_000;
const TYPED_MS = 300;
const ERROR_MAX = 200;
const NAME_A_QUEUE = 'Name a queue first: this is done for one queue at a time.';

/** A message can be dead for several groups. */
const keyOf = (letter) => `${letter.id} ${letter.consumerGroup}`;

class Dead extends HfElement {
  static properties = {
    query: { attribute: false },
    picked: { state: true },
    changes: { state: true },
  };

  constructor() {
    super();
    this.picked = new Set();
    this.changes = 0;
    this.trail = new Trail(this);
    this.loader = new Loader(
      this,
      (signal) => get(['dlq'], { query: { ...this.filter, limit: PAGE, after: this.trail.after }, signal, keep: true }),
      { everyMs: EVERY_MS },
    );
    this.jobs = new Jobs(this, (job) => this.jobEnded(job));
    this.columns = [
      { label: 'Message', main: true, tight: true, cell: (row) => shortId(row.id, toMessage(row.id)) },
      { label: 'Queue', cell: (row) => nameLink(row.queue, toQueue(row.queue)) },
      { label: 'Group', cell: (row) => group(row.consumerGroup) },
      {
        label: 'Error',
        rest: true,
        cell: (row) =>
          row.errorMessage
            ? html`<span class="cut" title=${shown(row.errorMessage)}><bdi>${pieces(cut(row.errorMessage, ERROR_MAX))}</bdi></span>`
            : html`<span class="zero">none told</span>`,
      },
      { label: 'Failed', num: true, hint: 'How often it failed', cell: (row) => count(row.retryCount) },
      { label: 'Died', num: true, cell: (row) => when(row.failedAt) },
      { label: 'Payload', cell: (row) => html`<span class="brief">${preview(row)}</span>` },
      {
        label: 'Requeue',
        bare: true,
        tight: true,
        cell: (row) =>
          actButton({
            label: 'Requeue',
            drawing: icon('again'),
            kind: 'small',
            whyNot: session.whyNot('consume'),
            test: 'requeue',
            act: () => this.then(requeueMessage(row, row.consumerGroup)),
          }),
      },
      {
        label: 'Acts',
        bare: true,
        tight: true,
        cell: (row) => html`<hf-menu small .label=${`More acts on ${row.id}`} .items=${this.acts(row)}></hf-menu>`,
      },
    ];
  }

  /** What the server is asked for, from the address. */
  get filter() {
    const { queue, group: consumerGroup, error, from, to } = this.query;
    const all = {
      queue,
      consumerGroup,
      error,
      from: fromInput(from),
      to: fromInput(to),
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
  }

  willUpdate() {
    this.trail.of(this.filter);
    const key = JSON.stringify([this.filter, this.trail.after]);
    if (key !== this.pickedOf) {
      this.pickedOf = key;
      this.picked = new Set();
    }
    this.loader.want([this.filter, this.trail.after, this.changes], { keep: true });
  }

  show(change) {
    go(['dead'], { ...this.query, ...change }, { replace: true });
  }

  /** Loads again after something was done. */
  changed() {
    this.picked = new Set();
    this.changes++;
    this.jobs.refresh();
  }

  async then(act) {
    try {
      if (await act) {
        this.changed();
      }
    } catch (error) {
      complain(error);
    }
  }

  jobEnded(job) {
    say(`${plural(job.done, 'dead letter')} done in the background.`);
    this.changes++;
  }

  render() {
    const { data, error, isStale } = this.loader;
    return html`${pageHead({
      title: 'Dead letters',
      sub: 'Messages that used up their attempts, kept whole with why.',
      acts: html`<a class="button" href=${address(['dlq', 'export'], this.filter)} download="dead-letters.ndjson" data-test="export">
          ${icon('down')}Export
        </a>`,
    })}
      <div class="stack">
        ${jobsPanel(this.jobs, session.whyNot('consume'))}
        <hf-dead-errors
          .queue=${this.query.queue}
          .changes=${this.changes}
          .on=${this.query.error}
          @show-error=${(event) => this.show(event.detail)}
          @requeue-error=${(event) => this.then(requeueMany(event.detail))}
          @remove-error=${(event) => this.then(removeMany(event.detail))}
        ></hf-dead-errors>
        <section class="panel" data-test="dead-letters">
          ${this.filters()} ${this.bulk(data)}
          <hf-table
            label="Dead letters"
            test="dead-row"
            .columns=${this.columns}
            .rows=${data?.messages}
            .error=${error}
            .stale=${isStale}
            .keyOf=${keyOf}
            .picked=${this.picked}
            .empty=${this.nothing()}
            @pick=${(event) => (this.picked = event.detail)}
          ></hf-table>
          ${
            data && data.messages.length > 0
              ? trailPager({
                  shown: data.messages.length,
                  trail: this.trail.marks,
                  next: data.next,
                  note: `${plural(data.total, 'dead letter')} in all, oldest death first; page ${count(this.trail.marks.length + 1)}`,
                  to: (marks) => this.trail.to(marks),
                })
              : nothing
          }
          ${this.pickedBar(data)}
        </section>
      </div>`;
  }

  filters() {
    const { queue = '', group: consumerGroup = '', error = '', from = '', to = '' } = this.query;
    const text = (field, label, value, kind = '') =>
      html`<label class=${kind}>
        ${label}
        <input type="search" placeholder="Any" data-test="dead-${field}" .value=${value} @input=${(event) => this.typed(field, event)} />
      </label>`;
    const time = (field, label, value) =>
      html`<label>
        ${label}
        <input type="datetime-local" step="1" data-test="dead-${field}" .value=${value} @change=${(event) => this.show({ [field]: event.target.value })} />
      </label>`;
    return html`<div class="filters">
      ${text('queue', 'Queue', queue)} ${text('group', 'Group', consumerGroup)} ${text('error', 'Error has in it', error, 'wide')}
      ${time('from', 'Died from', from)} ${time('to', 'to', to)}
    </div>`;
  }

  typed(field, event) {
    clearTimeout(this.typing);
    const { value } = event.target;
    this.typing = setTimeout(() => this.show({ [field]: value }), TYPED_MS);
  }

  /** What can be done to all that fit. */
  bulk(data) {
    if (!data || data.total === 0) {
      return nothing;
    }
    const unnamed = this.query.queue ? '' : NAME_A_QUEUE;
    return html`<div class="bulk">
      <span>${plural(data.total, 'dead letter')} ${data.total === 1 ? 'fits' : 'fit'}</span>
      <div class="acts">
        ${actButton({
          label: 'Requeue all that fit…',
          drawing: icon('again'),
          kind: 'small',
          whyNot: session.whyNot('consume') || unnamed,
          test: 'requeue-all',
          act: () => this.then(requeueMany(this.filter)),
        })}
        ${actButton({
          label: 'Remove all that fit…',
          drawing: icon('bin'),
          kind: 'small danger',
          whyNot: session.whyNot('admin') || unnamed,
          test: 'remove-all',
          act: () => this.then(removeMany(this.filter)),
        })}
        ${unnamed ? html`<span class="muted small">${unnamed}</span>` : nothing}
      </div>
    </div>`;
  }

  pickedBar(data) {
    const letters = (data?.messages ?? []).filter((letter) => this.picked.has(keyOf(letter)));
    if (letters.length === 0) {
      return nothing;
    }
    return html`<div class="picked-bar" role="region" aria-label="Selected dead letters" data-test="picked-bar">
      <strong>${count(letters.length)} selected</strong>
      ${actButton({
        label: 'Requeue',
        drawing: icon('again'),
        kind: 'small primary',
        whyNot: session.whyNot('consume'),
        test: 'requeue-picked',
        act: () => this.then(requeuePicked(letters)),
      })}
      ${actButton({
        label: 'Remove',
        drawing: icon('bin'),
        kind: 'small danger',
        whyNot: session.whyNot('admin'),
        test: 'remove-picked',
        act: () => this.then(removePicked(letters)),
      })}
      <button type="button" class="button small quiet" @click=${() => (this.picked = new Set())}>Select none</button>
    </div>`;
  }

  acts(row) {
    const consume = session.whyNot('consume');
    return [
      {
        label: 'Edit and requeue',
        icon: 'edit',
        whyNot: consume || (row.dataBase64 ? 'Its payload is not JSON.' : ''),
        test: 'act-edit',
        act: () => this.then(replayEdited(row, row.consumerGroup)),
      },
      null,
      {
        label: 'Remove',
        icon: 'bin',
        danger: true,
        whyNot: session.whyNot('admin'),
        test: 'act-remove',
        act: () => this.then(removeDeadLetter(row, row.consumerGroup)),
      },
    ];
  }

  nothing() {
    if (Object.keys(this.filter).length > 0) {
      return empty({
        title: 'No dead letter fits',
        text: this.query.queue
          ? 'A queue that is not there has none either. Fewer conditions may show more.'
          : 'Fewer conditions may show more.',
        acts: html`<button type="button" class="button" @click=${() => go(['dead'])}>Show all dead letters</button>`,
      });
    }
    return empty({
      title: 'No dead letters',
      text: 'A message comes here when it has failed more often than its queue allows, or when a worker gives it up:',
      line: curl(['ack'], {
        body: { transactionId: 'order-1', partitionId: '1', leaseId: '…', status: 'dlq', error: 'no such customer' },
      }),
    });
  }
}

customElements.define('hf-dead', Dead);
