/** The errors of dead letters: each once, the most frequent first. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { nameLink, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import '../parts/table.js';
import '../parts/menu.js';
import { listErrors } from '../api/dead-letters.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';
import { commonText } from '../lib/errors.js';
import { toQueue, go } from '../lib/route.js';
import { count } from '../lib/format.js';
import { pieces, cut, shown } from '../lib/text.js';

const SHOWN = 6;
const EVERY_MS = 10_000;
const ERROR_MAX = 240;

/** Dispatches show-error, requeue-error and remove-error, each with the filter for the error. */
class DeadErrors extends HfElement {
  static properties = {
    queue: { attribute: false },
    changes: { attribute: false },
    on: { attribute: false },
    all: { state: true },
  };

  constructor() {
    super();
    /** @type {string | undefined} */
    this.queue = undefined;
    this.changes = 0;
    /** The error that is filtered by. @type {string | undefined} */
    this.on = undefined;
    this.all = false;
    this.loader = new Loader(this, (signal) => listErrors(this.queue, signal), {
      everyMs: EVERY_MS,
    });
    /** @type {Hf.Column<Hf.DeadError>[]} */
    this.columns = [
      { label: 'Error', main: true, rest: true, cell: (row) => this.error(row) },
      { label: 'Queue', cell: (row) => nameLink(row.queue, toQueue(row.queue)) },
      { label: 'Dead letters', num: true, cell: (row) => html`<strong>${count(row.count)}</strong>` },
      { label: 'First', num: true, cell: (row) => when(row.first) },
      { label: 'Last', num: true, cell: (row) => when(row.last) },
      {
        label: 'Requeue',
        bare: true,
        tight: true,
        cell: (row) =>
          actButton({
            label: 'Requeue these…',
            drawing: icon('again'),
            kind: 'small',
            whyNot: session.whyNot('consume') || this.vague(row),
            test: 'requeue-error',
            act: () => this.tell('requeue-error', this.filterOf(row)),
          }),
      },
      {
        label: 'Acts',
        bare: true,
        tight: true,
        cell: (row) => html`<hf-menu small label="Acts on this error" .items=${this.acts(row)}></hf-menu>`,
      },
    ];
  }

  willUpdate() {
    this.loader.want([this.queue, this.changes], { keep: true });
  }

  /** @param {Hf.DeadError} row */
  error(row) {
    if (!row.error) {
      return html`<span class="muted">No error</span>`;
    }
    return html`<button type="button" class="as-link cut" title=${shown(row.sample)} data-test="show-error" @click=${() => this.show(row)}>
      <bdi>${pieces(cut(row.error, ERROR_MAX))}</bdi>
    </button>`;
  }

  /** @param {Hf.DeadError} row */
  show(row) {
    this.tell('show-error', this.filterOf(row));
  }

  /**
   * The filter for an error.
   *
   * @param {Hf.DeadError} row
   */
  filterOf(row) {
    return { queue: row.queue, error: commonText(row) };
  }

  /**
   * Why an error cannot be filtered by; empty if it can.
   *
   * @param {Hf.DeadError} row
   */
  vague(row) {
    return commonText(row) ? '' : 'The error has no text to filter by.';
  }

  /** @param {Hf.DeadError} row */
  acts(row) {
    const vague = this.vague(row);
    return [
      { label: 'Show these', icon: 'search', whyNot: vague, test: 'act-show-error', act: () => this.show(row) },
      { label: 'Show the newest', icon: 'link', act: () => go(['messages', row.messageId]) },
      null,
      {
        label: 'Remove these',
        icon: 'bin',
        danger: true,
        whyNot: session.whyNot('admin') || vague,
        test: 'act-remove-error',
        act: () => this.tell('remove-error', this.filterOf(row)),
      },
    ];
  }

  render() {
    const { data, error, isStale } = this.loader;
    if (data && data.rows.length === 0) {
      return nothing;
    }
    const rows = this.all ? data?.rows : data?.rows.slice(0, SHOWN);
    const more = data && rows ? data.rows.length - rows.length : 0;
    return panel({
      title: 'By error',
      test: 'dead-errors',
      note: 'Errors that differ only in numbers and ids are counted together: #',
      body: html`<hf-table
          label="Errors of dead letters"
          test="error-row"
          .columns=${this.columns}
          .rows=${rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.DeadError} */ row) => `${row.queue} ${row.error}`}
          .empty=${empty({ title: 'No errors' })}
        ></hf-table>
        ${
          more > 0
            ? html`<p class="table-note">
              <button type="button" class="button small" data-test="all-errors" @click=${() => (this.all = true)}>Show ${count(more)} more</button>
            </p>`
            : nothing
        }
        ${
          data && data.complete === false
            ? html`<p class="table-note">Only the first ${count(data.total)} dead letters are counted by error.</p>`
            : nothing
        }`,
    });
  }
}

customElements.define('hf-dead-errors', DeadErrors);
