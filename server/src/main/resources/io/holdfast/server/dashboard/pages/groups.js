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
import { get } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';
import { shown } from '../lib/text.js';
import { go, toGroups, toQueue } from '../lib/route.js';
import { count, duration } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 5_000;
const TYPED_MS = 300;
const LAGGING_SHOWN = 200;

const BEHIND = [
  ['', 'All groups'],
  ['60', 'Behind more than 1 min'],
  ['300', 'Behind more than 5 min'],
  ['3600', 'Behind more than 1 h'],
  ['86400', 'Behind more than 1 day'],
];

const LAGGING_COLUMNS = [
  {
    label: 'Group',
    main: true,
    wide: true,
    cell: (row) => html`<a href=${toGroups(row.queue_name, row.consumer_group)}>${group(row.consumer_group)}</a>`,
  },
  { label: 'Queue', cell: (row) => nameLink(row.queue_name, toQueue(row.queue_name, { tab: 'groups' })) },
  { label: 'Lag', num: true, hint: 'Messages it has still to settle', cell: (row) => count(row.offset_lag) },
  { label: 'Behind', num: true, cell: (row) => duration(row.time_lag_seconds * 1000) },
  { label: 'Oldest is there since', num: true, cell: (row) => when(row.oldest_unconsumed_at) },
];

class Groups extends HfElement {
  static properties = { query: { attribute: false } };

  constructor() {
    super();
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

  async load(signal) {
    const { queue, group: called, behind } = this.query;
    if (behind) {
      const rows = await get(['consumer-groups', 'lagging'], { query: { minLagSeconds: behind }, signal });
      rows.sort((a, b) => b.time_lag_seconds - a.time_lag_seconds);
      return { behind, rows: rows.slice(0, LAGGING_SHOWN), all: rows.length };
    }
    const { groups, next } = await get(['consumer-groups'], {
      query: { queue, group: called, limit: PAGE, after: this.trail.after },
      signal,
    });
    return { rows: groups, next };
  }

  willUpdate() {
    const { queue, group: called, behind } = this.query;
    this.trail.of([queue, called, behind]);
    this.loader.want([queue, called, behind, this.trail.after], { keep: true });
  }

  show(change) {
    go(['groups'], { ...this.query, ...change }, { replace: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    const isLagging = Boolean(data?.behind);
    return html`${pageHead({ title: 'Groups', sub: 'Each group gets every message of its queue, and has a place of its own in it.' })}
      <section class="panel" data-test="groups">
        ${this.filters()}
        <hf-table
          label="Groups"
          test="group-row"
          .columns=${isLagging ? LAGGING_COLUMNS : this.columns}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(row) => `${row.queueName ?? row.queue_name} ${row.name ?? row.consumer_group}`}
          .empty=${this.nothing()}
        ></hf-table>
        ${
          isLagging && data.all > data.rows.length
            ? html`<p class="table-note">The ${count(data.rows.length)} that are furthest behind, of ${count(data.all)}.</p>`
            : nothing
        }
        ${data && !isLagging ? trailPager({ shown: data.rows.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}
      </section>`;
  }

  filters() {
    const { queue = '', group: called = '', behind = '' } = this.query;
    const text = (field, label, value) =>
      html`<label>
        ${label}
        <input
          type="search"
          placeholder="Any; the whole name"
          data-test="group-${field}"
          ?disabled=${behind !== ''}
          .value=${value}
          @input=${(event) => this.typed(field, event)}
        />
      </label>`;
    return html`<div class="filters">
      ${text('queue', 'Queue', queue)} ${text('group', 'Group', called)}
      <label>
        Show
        <select data-test="group-behind" @change=${(event) => this.show({ behind: event.target.value, queue: undefined, group: undefined })}>
          ${BEHIND.map(([value, word]) => html`<option .value=${value} .selected=${value === behind}>${word}</option>`)}
        </select>
      </label>
    </div>`;
  }

  typed(field, event) {
    clearTimeout(this.typing);
    const { value } = event.target;
    this.typing = setTimeout(() => this.show({ [field]: value }), TYPED_MS);
  }

  nothing() {
    const { queue, group: called, behind } = this.query;
    if (behind) {
      return empty({ title: 'No group is so far behind', text: 'All of them keep up.' });
    }
    if (queue || called) {
      return empty({
        title: 'No group fits',
        text: 'Names are looked for as a whole.',
        acts: html`<button type="button" class="button" @click=${() => go(['groups'])}>Show all groups</button>`,
      });
    }
    return empty({
      title: 'No groups yet',
      text: 'A group is made by its first pop.',
      line: curl(['pop', 'queue', 'orders'], { query: { consumerGroup: 'billing' } }),
    });
  }
}

customElements.define('hf-groups', Groups);
