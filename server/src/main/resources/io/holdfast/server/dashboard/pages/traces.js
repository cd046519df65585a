/** Names of traces: consumers give a trace names to find it by. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { pageHead } from '../parts/page.js';
import { nameLink, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { offsetPager } from '../parts/pager.js';
import '../parts/table.js';
import { listTraceNames } from '../api/traces.js';
import { Loader } from '../lib/loader.js';
import { go, toTraces } from '../lib/route.js';
import { count } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 5_000;

/** @type {Hf.Column<Hf.TraceName>[]} */
const COLUMNS = [
  { label: 'Name', main: true, wide: true, cell: (row) => nameLink(row.name, toTraces(row.name)) },
  { label: 'Traces', num: true, cell: (row) => count(row.traces) },
  { label: 'Messages', num: true, cell: (row) => count(row.messages) },
  { label: 'Last used', num: true, cell: (row) => when(row.lastAt) },
];

class Traces extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.loader = new Loader(this, (signal) => listTraceNames({ offset: this.offset, limit: PAGE }, signal), {
      everyMs: EVERY_MS,
    });
  }

  get offset() {
    return Number(this.query.offset ?? 0);
  }

  willUpdate() {
    this.loader.want(this.offset, { keep: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    return html`${pageHead({
      title: 'Traces',
      sub: 'Notes that consumers make about messages, by name. The traces of one message are on its page.',
    })}
      <section class="panel" data-test="traces">
        <hf-table
          label="Names of traces"
          test="trace-name-row"
          .columns=${COLUMNS}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.TraceName} */ row) => row.name}
          .empty=${empty({
            title: 'No traces yet',
            text: 'A consumer notes something about a message that it works on, with names to find it by:',
            line: curl(['traces'], {
              body: { transactionId: 'order-1', partitionId: '1', data: { text: 'paid' }, traceNames: ['tenant-7'] },
            }),
          })}
        ></hf-table>
        ${
          data
            ? offsetPager({
                offset: this.offset,
                limit: PAGE,
                shown: data.rows.length,
                total: data.total,
                to: (offset) => go(['traces'], { offset: offset || undefined }),
              })
            : nothing
        }
      </section>`;
  }
}

customElements.define('hf-traces', Traces);
