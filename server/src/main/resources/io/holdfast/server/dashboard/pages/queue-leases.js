/** The leases that hold messages of a queue: who has them, and for how long yet. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel } from '../parts/page.js';
import { group, id, name, at, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import { say } from '../parts/toast.js';
import '../parts/table.js';
import { confirm } from '../dialogs/confirm.js';
import { get, post } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { Seconds } from '../lib/clock.js';
import { session } from '../lib/session.js';
import { count, duration, millis, plural } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 4_000;

class QueueLeases extends HfElement {
  static properties = {
    queue: { attribute: false },
    changes: { attribute: false },
  };

  constructor() {
    super();
    this.trail = new Trail(this);
    this.seconds = new Seconds(this);
    this.loader = new Loader(
      this,
      (signal) =>
        get(['resources', 'queues', this.queue, 'leases'], { query: { limit: PAGE, after: this.trail.after }, signal }),
      { everyMs: EVERY_MS },
    );
  }

  willUpdate() {
    this.trail.of(this.queue);
    this.loader.want([this.queue, this.trail.after, this.changes], { keep: true });
  }

  /** Made anew each second, because time left is a part of it. */
  columns() {
    return [
      { label: 'Lease', main: true, cell: (row) => id(row.leaseId) },
      { label: 'Worker', cell: (row) => (row.worker ? name(row.worker) : html`<span class="zero">not told</span>`) },
      { label: 'Group', cell: (row) => group(row.group) },
      {
        label: 'Partition',
        cell: (row) =>
          html`${name(row.partition)}${row.partitions > 1 ? html` <span class="muted nowrap">and ${count(row.partitions - 1)} more</span>` : nothing}`,
      },
      { label: 'Open', num: true, hint: 'Messages that it still holds', cell: (row) => count(row.open) },
      { label: 'Taken', num: true, cell: (row) => when(row.since) },
      { label: 'Until', num: true, cell: (row) => at(row.until) },
      { label: 'Time left', num: true, cell: (row) => left(row.until) },
      {
        label: 'Acts',
        bare: true,
        tight: true,
        cell: (row) =>
          html`<button
            type="button"
            class="button small"
            data-test="release-lease"
            ?disabled=${!session.may('consume')}
            title=${session.whyNot('consume') || nothing}
            @click=${() => this.release(row)}
          >
            Release
          </button>`,
      },
    ];
  }

  render() {
    const { data, error, isStale } = this.loader;
    return panel({
      title: 'Leases',
      test: 'leases',
      note: 'What is in flight, with who holds it',
      body: html`<hf-table
          label="Leases"
          test="lease-row"
          .columns=${this.columns()}
          .rows=${data?.leases}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(row) => row.leaseId}
          .empty=${empty({
            title: 'Nothing is in flight',
            text: 'A pop takes a lease; it shows here until its messages are settled or it runs out.',
            line: curl(['pop', 'queue', this.queue], { query: { batch: 10, worker: 'me' } }),
          })}
        ></hf-table>
        ${data ? trailPager({ shown: data.leases.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}`,
    });
  }

  async release(row) {
    const done = await confirm({
      title: 'Release the lease?',
      body: html`<p>
        ${plural(row.open, 'message')} of lease <code>${row.leaseId}</code> come back at once and may be delivered to others. No failure is
        counted. What ${row.worker ? html`<strong>${name(row.worker)}</strong>` : 'its holder'} does with them from now on is refused.
      </p>`,
      label: `Release ${plural(row.open, 'message')}`,
      act: async () => {
        const { count: released } = await post(['lease', row.leaseId, 'settle'], { status: 'release' });
        say(`${plural(released, 'message')} given back.`);
      },
    });
    if (done) {
      this.loader.refresh();
    }
  }
}

function left(until) {
  const ms = millis(until) - Date.now();
  return ms > 0 ? duration(Math.floor(ms / 1000) * 1000) : html`<span class="muted">ended</span>`;
}

customElements.define('hf-queue-leases', QueueLeases);
