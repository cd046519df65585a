/** A table of rows that the server pages and sorts; on a narrow screen each row is a card. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { HfElement } from './element.js';
import { icon } from './icon.js';
import { problem, skeleton } from './notice.js';

const KINDS = /** @type {const} */ (['num', 'tight', 'main', 'wide', 'rest', 'bare']);

/** @param {Hf.Column<any>} column */
const kindOf = (column) => KINDS.filter((kind) => column[kind]).join(' ');

/** Dispatches sort (Hf.SortEvent) and pick (Hf.PickEvent). */
class Table extends HfElement {
  static properties = {
    label: {},
    columns: { attribute: false },
    rows: { attribute: false },
    keyOf: { attribute: false },
    sort: {},
    order: {},
    empty: { attribute: false },
    error: { attribute: false },
    stale: { type: Boolean },
    picked: { attribute: false },
    test: {},
  };

  constructor() {
    super();
    this.label = '';
    /** @type {Hf.Column<any>[]} */
    this.columns = [];
    /** @type {any[] | undefined} */
    this.rows = undefined;
    /** @type {(row: any) => string} */
    this.keyOf = (row) => row.id;
    this.sort = '';
    this.order = '';
    /** @type {Hf.Content} */
    this.empty = undefined;
    /** @type {unknown} */
    this.error = undefined;
    this.stale = false;
    /** The keys of selected rows; undefined if rows cannot be selected. @type {Set<string> | undefined} */
    this.picked = undefined;
    this.test = 'row';
  }

  render() {
    if (this.rows === undefined) {
      return this.error ? html`<div class="body">${problem(this.error)}</div>` : skeleton();
    }
    const failed = this.error ? problem(this.error) : nothing;
    if (this.rows.length === 0) {
      return html`${failed}${this.empty ?? nothing}`;
    }
    return html`${failed}
      <div class="table-wrap ${this.stale ? 'is-stale' : ''}" role="region" aria-label=${this.label} tabindex="0">
        <table class="cards" role="table" aria-label=${this.label}>
          <thead role="rowgroup">
            <tr role="row">
              ${this.picked ? html`<th class="tight" role="columnheader">${this.pickAll()}</th>` : nothing}
              ${this.columns.map((column) => this.head(column))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${repeat(this.rows, this.keyOf, (row) => this.row(row))}
          </tbody>
        </table>
      </div>`;
  }

  /** @param {Hf.Column<any>} column */
  head(column) {
    const kind = kindOf(column);
    if (!column.sort) {
      return html`<th class=${kind} role="columnheader" scope="col" title=${column.hint ?? nothing}>
        ${column.bare ? html`<span class="only-read">${column.label}</span>` : column.label}
      </th>`;
    }
    const isOn = this.sort === column.sort;
    const sorted = isOn ? (this.order === 'desc' ? 'descending' : 'ascending') : 'none';
    return html`<th class=${kind} role="columnheader" scope="col" aria-sort=${sorted} title=${column.hint ?? nothing}>
      <button type="button" class="sort" data-test="sort-${column.sort}" @click=${() => this.sortBy(column)}>
        ${column.label}${icon('down')}
      </button>
    </th>`;
  }

  /** @param {Hf.Column<any>} column */
  sortBy(column) {
    const first = column.first ?? (column.num ? 'desc' : 'asc');
    const other = first === 'asc' ? 'desc' : 'asc';
    this.tell('sort', { sort: column.sort, order: this.sort === column.sort && this.order === first ? other : first });
  }

  /** @param {any} row */
  row(row) {
    const key = this.keyOf(row);
    const isPicked = this.picked?.has(key) ?? false;
    return html`<tr class=${isPicked ? 'is-picked' : ''} role="row" data-test=${this.test} data-key=${key}>
      ${
        this.picked
          ? html`<td class="tight pick" role="cell">
            <input
              type="checkbox"
              aria-label="Select this row"
              data-test="pick"
              .checked=${isPicked}
              @change=${() => this.pick(key)}
            />
          </td>`
          : nothing
      }
      ${this.columns.map(
        (column) =>
          html`<td
            class=${kindOf(column)}
            role="cell"
            data-label=${column.label}
          >
            ${column.cell(row)}
          </td>`,
      )}
    </tr>`;
  }

  /** @param {string} key */
  pick(key) {
    const picked = new Set(this.picked);
    if (!picked.delete(key)) {
      picked.add(key);
    }
    this.tell('pick', picked);
  }

  pickAll() {
    const keys = (this.rows ?? []).map(this.keyOf);
    const picked = this.picked ?? new Set();
    const all = keys.every((key) => picked.has(key));
    return html`<input
      type="checkbox"
      aria-label="Select all rows of this page"
      data-test="pick-all"
      .checked=${all}
      .indeterminate=${!all && keys.some((key) => picked.has(key))}
      @change=${() => this.tell('pick', new Set(all ? [] : keys))}
    />`;
  }
}

customElements.define('hf-table', Table);
