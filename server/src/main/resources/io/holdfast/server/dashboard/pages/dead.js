/** Dead letters: their errors, the list, and the actions on them. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { pageHead } from '../parts/page.js';
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
import { deadFilters } from './dead-filters.js';
import { requeueMany, removeMany, requeuePicked, removePicked } from '../dialogs/dead-acts.js';
import { requeueMessage, removeDeadLetter } from '../dialogs/message-acts.js';
import { replayEdited } from '../dialogs/replay-edited.js';
import { exportAddress, listDeadLetters } from '../api/dead-letters.js';
import { Loader } from '../lib/loader.js';
import { Typing } from '../lib/typing.js';
import { Jobs } from '../lib/jobs.js';
import { session } from '../lib/session.js';
import { go, toMessage, toQueue } from '../lib/route.js';
import { count, fromInput, plural } from '../lib/format.js';
import { pieces, cut, shown } from '../lib/text.js';

const PAGE = 50;
const EVERY_MS = 5_000;
const ERROR_MAX = 200;
const NAME_A_QUEUE = 'Enter a queue: this works on one queue at a time.';

/**
 * A message can be dead for several groups.
 *
 * @param {Hf.DeadLetter} letter
 */
const keyOf = (letter) => `${letter.id} ${letter.consumerGroup}`;

class Dead extends HfElement {
  static properties = {
    query: { attribute: false },
    picked: { state: true },
    changes: { state: true },
  };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.typing = new Typing();
    this.pickedOf = '';
    /** @type {Set<string>} */
    this.picked = new Set();
    this.changes = 0;
    this.trail = new Trail(this);
    this.loader = new Loader(
      this,
      (signal) => listDeadLetters({ ...this.filter, limit: PAGE, after: this.trail.after }, signal),
      { everyMs: EVERY_MS },
    );
    this.jobs = new Jobs(this, (job) => this.jobEnded(job));
    /** @type {Hf.Column<Hf.DeadLetter>[]} */
    this.columns = [
      { label: 'Message', main: true, tight: true, cell: (row) => shortId(row.id, toMessage(row.id)) },
      { label: 'Queue', cell: (row) => nameLink(row.queue, toQueue(row.queue)) },
      { label: 'Group', cell: (row) => group(row.consumerGroup) },
      {
        label: 'Error',
        rest: true,
        cell: (row) =>
          row.error
            ? html`<span class="cut" title=${shown(row.error)}><bdi>${pieces(cut(row.error, ERROR_MAX))}</bdi></span>`
            : html`<span class="zero">none</span>`,
      },
      { label: 'Failed', num: true, hint: 'How often it failed', cell: (row) => count(row.retryCount) },
      { label: 'Died', num: true, cell: (row) => when(row.diedAt) },
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

  /** The filter in the address. */
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

  /** @param {Hf.PlaceQuery} change */
  show(change) {
    go(['dead'], { ...this.query, ...change }, { replace: true });
  }

  /** Loads again after something was done. */
  changed() {
    this.picked = new Set();
    this.changes++;
    this.jobs.refresh();
  }

  /** @param {Promise<unknown>} act */
  async then(act) {
    try {
      if (await act) {
        this.changed();
      }
    } catch (error) {
      complain(error);
    }
  }

  /** @param {Hf.Job} job */
  jobEnded(job) {
    say(`${plural(job.done, 'dead letter')} processed in the background.`);
    this.changes++;
  }

  render() {
    const { data, error, isStale } = this.loader;
    return html`${pageHead({
      title: 'Dead letters',
      sub: 'Messages that exhausted their retries, kept with the error.',
      acts: html`<a class="button" href=${exportAddress(this.filter)} download="dead-letters.ndjson" data-test="export">
          ${icon('down')}Export
        </a>`,
    })}
      <div class="stack">
        ${jobsPanel(this.jobs, session.whyNot('consume'))}
        <hf-dead-errors
          .queue=${this.query.queue}
          .changes=${this.changes}
          .on=${this.query.error}
          @show-error=${(/** @type {Hf.ErrorEvent} */ event) => this.show(event.detail)}
          @requeue-error=${(/** @type {Hf.ErrorEvent} */ event) => this.then(requeueMany(event.detail))}
          @remove-error=${(/** @type {Hf.ErrorEvent} */ event) => this.then(removeMany(event.detail))}
        ></hf-dead-errors>
        <section class="panel" data-test="dead-letters">
          ${deadFilters(this.query, (field, event) => this.typed(field, event), (change) => this.show(change))} ${this.bulk(data)}
          <hf-table
            label="Dead letters"
            test="dead-row"
            .columns=${this.columns}
            .rows=${data?.rows}
            .error=${error}
            .stale=${isStale}
            .keyOf=${keyOf}
            .picked=${this.picked}
            .empty=${this.nothing()}
            @pick=${(/** @type {Hf.PickEvent} */ event) => (this.picked = event.detail)}
          ></hf-table>
          ${
            data && data.rows.length > 0
              ? trailPager({
                  shown: data.rows.length,
                  trail: this.trail.marks,
                  next: data.next,
                  note: `${plural(data.total, 'dead letter')} in all, oldest first; page ${count(this.trail.marks.length + 1)}`,
                  to: (marks) => this.trail.to(marks),
                })
              : nothing
          }
          ${this.pickedBar(data)}
        </section>
      </div>`;
  }

  /** @param {string} field @param {Hf.FieldEvent} event */
  typed(field, event) {
    const { value } = event.target;
    this.typing.pause(() => this.show({ [field]: value }));
  }

  /**
   * Actions on all that match.
   *
   * @param {(Hf.Page<Hf.DeadLetter> & { total: number }) | undefined} data
   */
  bulk(data) {
    if (!data || data.total === 0) {
      return nothing;
    }
    const unnamed = this.query.queue ? '' : NAME_A_QUEUE;
    return html`<div class="bulk">
      <span>${plural(data.total, 'matching dead letter')}</span>
      <div class="acts">
        ${actButton({
          label: 'Requeue all matching…',
          drawing: icon('again'),
          kind: 'small',
          whyNot: session.whyNot('consume') || unnamed,
          test: 'requeue-all',
          act: () => this.then(requeueMany(this.filter)),
        })}
        ${actButton({
          label: 'Remove all matching…',
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

  /** @param {(Hf.Page<Hf.DeadLetter> & { total: number }) | undefined} data */
  pickedBar(data) {
    const letters = (data?.rows ?? []).filter((/** @type {Hf.DeadLetter} */ letter) => this.picked.has(keyOf(letter)));
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

  /** @param {Hf.DeadLetter} row */
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
        title: 'No dead letter matches',
        text: this.query.queue
          ? 'The queue has none, or does not exist. Use fewer filters to see more.'
          : 'Use fewer filters to see more.',
        acts: html`<button type="button" class="button" @click=${() => go(['dead'])}>Show all dead letters</button>`,
      });
    }
    return empty({
      title: 'No dead letters',
      text: 'A message becomes a dead letter when it has failed more often than its queue allows, or when a consumer rejects it:',
      line: curl(['ack'], {
        body: { transactionId: 'order-1', partitionId: '1', leaseId: '…', status: 'dlq', error: 'no such customer' },
      }),
    });
  }
}

customElements.define('hf-dead', Dead);
