/** All groups of all queues: how far each is behind, and the ways to move it. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { pageHead } from '../parts/page.js';
import { group, nameLink, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { groupColumns } from '../parts/group-columns.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import '../parts/menu.js';
import { groupMenu } from '../dialogs/group-acts.js';
import { laggingGroups, listGroups } from '../api/groups.js';
import { Loader } from '../lib/loader.js';
import { Typing } from '../lib/typing.js';
import { session } from '../lib/session.js';
import { shown } from '../lib/text.js';
import { go, toGroups, toQueue } from '../lib/route.js';
import { count, duration } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 5_000;
const LAGGING_SHOWN = 200;

const BEHIND = [
  ['', 'All groups'],
  ['60', 'Behind more than 1 min'],
  ['300', 'Behind more than 5 min'],
  ['3600', 'Behind more than 1 h'],
  ['86400', 'Behind more than 1 day'],
];

/** @type {Hf.Column<Hf.LaggingRow>[]} */
const LAGGING_COLUMNS = [
  {
    label: 'Group',
    main: true,
    wide: true,
    cell: (row) => html`<a href=${toGroups(row.queue, row.name)}>${group(row.name)}</a>`,
  },
  { label: 'Queue', cell: (row) => nameLink(row.queue, toQueue(row.queue, { tab: 'groups' })) },
  { label: 'Lag', num: true, hint: 'Messages that it has not settled', cell: (row) => count(row.lag) },
  { label: 'Behind', num: true, cell: (row) => duration(row.behindMs) },
  { label: 'Oldest message', num: true, cell: (row) => when(row.oldestAt) },
];

class Groups extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.typing = new Typing();
    this.trail = new Trail(this);
    this.loader = new Loader(this, (signal) => this.load(signal), { everyMs: EVERY_MS });
    this.columns = groupColumns({
      withQueue: true,
      menu: (row) =>
        html`<hf-menu
          small
          .label=${`Acts on the group ${shown(row.name)}`}
          .items=${groupMenu(row, session.whyNot('admin'), () => this.loader.refresh())}
        ></hf-menu>`,
    });
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const { queue, group: called, behind } = this.query;
    if (behind) {
      const all = await laggingGroups(Number(behind), signal);
      const rows = all.filter((row) => (!queue || row.queue === queue) && (!called || row.name === called));
      return { lagging: rows.slice(0, LAGGING_SHOWN), all: rows.length };
    }
    return listGroups({ queue, group: called, limit: PAGE, after: this.trail.after }, signal);
  }

  willUpdate() {
    const { queue, group: called, behind } = this.query;
    this.trail.of([queue, called, behind]);
    this.loader.want([queue, called, behind, this.trail.after], { keep: true });
  }

  /** @param {Hf.PlaceQuery} change */
  show(change) {
    go(['groups'], { ...this.query, ...change }, { replace: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    const lagging = data && 'lagging' in data ? data : undefined;
    const page = data && 'rows' in data ? data : undefined;
    return html`${pageHead({ title: 'Groups', sub: 'Each group gets every message of its queue, and has its own position.' })}
      <section class="panel" data-test="groups">
        ${this.filters()}
        <hf-table
          label="Groups"
          test="group-row"
          .columns=${lagging ? LAGGING_COLUMNS : this.columns}
          .rows=${lagging?.lagging ?? page?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.GroupRow} */ row) => `${row.queue} ${row.name}`}
          .empty=${this.nothing()}
        ></hf-table>
        ${
          lagging && lagging.all > lagging.lagging.length
            ? html`<p class="table-note">The ${count(lagging.lagging.length)} furthest behind, of ${count(lagging.all)}.</p>`
            : nothing
        }
        ${page ? trailPager({ shown: page.rows.length, trail: this.trail.marks, next: page.next, to: (marks) => this.trail.to(marks) }) : nothing}
      </section>`;
  }

  filters() {
    const { queue = '', group: called = '', behind = '' } = this.query;
    /** @param {string} field @param {string} label @param {string} value */
    const text = (field, label, value) =>
      html`<label>
        ${label}
        <input
          type="search"
          placeholder="Any; the whole name"
          data-test="group-${field}"
          .value=${value}
          @input=${(/** @type {Hf.FieldEvent} */ event) => this.typed(field, event)}
        />
      </label>`;
    return html`<div class="filters">
      ${text('queue', 'Queue', queue)} ${text('group', 'Group', called)}
      <label>
        Show
        <select data-test="group-behind" @change=${(/** @type {Hf.FieldEvent} */ event) => this.show({ behind: event.target.value })}>
          ${BEHIND.map(([value, word]) => html`<option .value=${value} .selected=${value === behind}>${word}</option>`)}
        </select>
      </label>
    </div>`;
  }

  /** @param {string} field @param {Hf.FieldEvent} event */
  typed(field, event) {
    const { value } = event.target;
    this.typing.pause(() => this.show({ [field]: value }));
  }

  nothing() {
    const { queue, group: called, behind } = this.query;
    if (behind) {
      return empty({ title: 'No group is that far behind' });
    }
    if (queue || called) {
      return empty({
        title: 'No group matches',
        text: 'Names must match as a whole.',
        acts: html`<button type="button" class="button" @click=${() => go(['groups'])}>Show all groups</button>`,
      });
    }
    return empty({
      title: 'No groups yet',
      text: 'A group is created by its first pop.',
      line: curl(['pop', 'queue', 'orders'], { query: { consumerGroup: 'billing' } }),
    });
  }
}

customElements.define('hf-groups', Groups);
