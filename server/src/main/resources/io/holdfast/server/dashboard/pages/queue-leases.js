/** The leases of a queue: who holds them, and how much time is left. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { group, id, name, at, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import { say } from '../parts/toast.js';
import '../parts/table.js';
import { confirm } from '../dialogs/confirm.js';
import { listLeases, releaseLease } from '../api/queues.js';
import { Loader } from '../lib/loader.js';
import { Seconds } from '../lib/clock.js';
import { session } from '../lib/session.js';
import { between, count, duration, plural } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 4_000;

class QueueLeases extends HfElement {
  static properties = {
    queue: { attribute: false },
    changes: { attribute: false },
  };

  constructor() {
    super();
    this.queue = '';
    this.changes = 0;
    this.trail = new Trail(this);
    this.seconds = new Seconds(this);
    this.loader = new Loader(
      this,
      (signal) =>
        listLeases(this.queue, { limit: PAGE, after: this.trail.after }, signal),
      { everyMs: EVERY_MS },
    );
  }

  willUpdate() {
    this.trail.of(this.queue);
    this.loader.want([this.queue, this.trail.after, this.changes], { keep: true });
  }

  /** Created each second, because of the time left. @returns {Hf.Column<Hf.LeaseRow>[]} */
  columns() {
    return [
      { label: 'Lease', main: true, cell: (row) => id(row.leaseId) },
      { label: 'Worker', cell: (row) => (row.worker ? name(row.worker) : html`<span class="zero">unknown</span>`) },
      { label: 'Group', cell: (row) => group(row.group) },
      {
        label: 'Partition',
        cell: (row) =>
          html`${name(row.partition)}${row.partitions > 1 ? html` <span class="muted nowrap">and ${count(row.partitions - 1)} more</span>` : nothing}`,
      },
      { label: 'Open', num: true, hint: 'Messages that it still holds', cell: (row) => count(row.open) },
      { label: 'Since', num: true, cell: (row) => when(row.since) },
      { label: 'Until', num: true, cell: (row) => at(row.until) },
      { label: 'Time left', num: true, cell: (row) => left(row.until) },
      {
        label: 'Acts',
        bare: true,
        tight: true,
        cell: (row) =>
          actButton({
            label: 'Release',
            kind: 'small',
            whyNot: session.whyNot('consume'),
            test: 'release-lease',
            act: () => this.release(row),
          }),
      },
    ];
  }

  render() {
    const { data, error, isStale } = this.loader;
    return panel({
      title: 'Leases',
      test: 'leases',
      note: 'Messages in flight, and their consumers',
      body: html`<hf-table
          label="Leases"
          test="lease-row"
          .columns=${this.columns()}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.LeaseRow} */ row) => row.leaseId}
          .empty=${empty({
            title: 'Nothing is in flight',
            text: 'A pop takes a lease; it is listed here until its messages are settled or it expires.',
            line: curl(['pop', 'queue', this.queue], { query: { batch: 10, worker: 'me' } }),
          })}
        ></hf-table>
        ${data ? trailPager({ shown: data.rows.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}`,
    });
  }

  /** @param {Hf.LeaseRow} row */
  async release(row) {
    const done = await confirm({
      title: 'Release the lease?',
      body: html`<p>
        ${plural(row.open, 'message')} of lease <code>${row.leaseId}</code> return to the queue at once and may be delivered to others. No failure is
        counted. Acks by ${row.worker ? html`<strong>${name(row.worker)}</strong>` : 'the holder'} are refused from now on.
      </p>`,
      label: `Release ${plural(row.open, 'message')}`,
      act: async () => {
        const released = await releaseLease(row.leaseId);
        say(`${plural(released, 'message')} returned to the queue.`);
      },
    });
    if (done) {
      this.loader.refresh();
    }
  }
}

/** @param {Hf.Time} until */
function left(until) {
  const ms = between(Date.now(), until) ?? 0;
  return ms > 0 ? duration(Math.floor(ms / 1000) * 1000) : html`<span class="muted">ended</span>`;
}

customElements.define('hf-queue-leases', QueueLeases);
