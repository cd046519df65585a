/** Records: versioned values by key, which commits write; and the way to a journal. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { pageHead } from '../parts/page.js';
import { nameLink } from '../parts/words.js';
import { preview } from '../parts/preview.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { actButton } from '../parts/button.js';
import { icon } from '../parts/icon.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import { listRecords } from '../api/records.js';
import { Loader } from '../lib/loader.js';
import { Typing } from '../lib/typing.js';
import { go, toRecord } from '../lib/route.js';
import { count } from '../lib/format.js';

const PAGE = 50;

/** @type {Hf.Column<Hf.RecordRow>[]} */
const COLUMNS = [
  { label: 'Key', main: true, wide: true, cell: (row) => nameLink(row.key, toRecord(row.key)) },
  { label: 'Version', num: true, tight: true, cell: (row) => count(row.version) },
  { label: 'Value', rest: true, cell: (row) => preview({ data: row.value, dataBase64: row.valueBase64 }) },
];

class Records extends HfElement {
  static properties = {
    query: { attribute: false },
    journal: { state: true },
  };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.journal = '';
    this.typing = new Typing();
    this.trail = new Trail(this);
    this.loader = new Loader(this, (signal) =>
      listRecords({ prefix: this.query.prefix, after: this.trail.after, limit: PAGE }, signal),
    );
  }

  willUpdate() {
    this.trail.of(this.query.prefix);
    this.loader.want([this.query.prefix, this.trail.after], { keep: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    const { prefix = '' } = this.query;
    return html`${pageHead({
      title: 'Records and journals',
      sub: 'Values and event logs that are written in the same commits as messages.',
    })}
      <section class="panel" data-test="records">
        <div class="filters">
          <label class="wide">
            Key begins with
            <input
              type="search"
              placeholder="Any"
              data-test="record-prefix"
              .value=${prefix}
              @input=${(/** @type {Hf.FieldEvent} */ event) => this.typed(event.target.value)}
            />
          </label>
          <button type="button" class="button" data-test="refresh" @click=${() => this.loader.refresh()}>Reload</button>
          ${this.journalField()}
        </div>
        <hf-table
          label="Records"
          test="record-row"
          .columns=${COLUMNS}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.RecordRow} */ row) => row.key}
          .empty=${this.nothing(prefix)}
        ></hf-table>
        ${
          data
            ? trailPager({
                shown: data.rows.length,
                trail: this.trail.marks,
                next: data.next,
                to: (marks) => this.trail.to(marks),
              })
            : nothing
        }
      </section>`;
  }

  /** Journals cannot be listed, so one is opened by its name. */
  journalField() {
    return html`<form class="journal-form" @submit=${this.openJournal}>
      <label>
        Journal
        <input
          type="text"
          placeholder="Its whole name"
          autocomplete="off"
          data-test="journal-name"
          .value=${this.journal}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.journal = event.target.value)}
        />
      </label>
      ${actButton({
        label: 'Open',
        drawing: icon('next'),
        whyNot: this.journal === '' ? 'Enter the name of a journal.' : '',
        test: 'open-journal',
        act: () => go(['journals', this.journal]),
      })}
    </form>`;
  }

  /** @param {Event} event */
  openJournal(event) {
    event.preventDefault();
    if (this.journal !== '') {
      go(['journals', this.journal]);
    }
  }

  /** @param {string} prefix */
  typed(prefix) {
    this.typing.pause(() => go(['records'], { prefix }, { replace: true }));
  }

  /** @param {string} prefix */
  nothing(prefix) {
    if (prefix) {
      return empty({
        title: 'No key begins with this',
        acts: html`<button type="button" class="button" @click=${() => go(['records'])}>Show all records</button>`,
      });
    }
    return empty({
      title: 'No records yet',
      text: 'A record is written by a commit, together with messages that are pushed or settled.',
      line: curl(['commit'], { body: { operations: [{ type: 'putRecord', key: 'stock/apples', value: 12 }] } }),
    });
  }
}

customElements.define('hf-records', Records);
