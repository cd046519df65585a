/** The groups that read a queue, and how far each is behind. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel } from '../parts/page.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { groupColumns } from '../parts/group-columns.js';
import { trailPager } from '../parts/pager.js';
import { Trail } from '../parts/trail.js';
import '../parts/table.js';
import '../parts/menu.js';
import { groupMenu } from '../dialogs/group-acts.js';
import { listGroups } from '../api/groups.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';
import { shown } from '../lib/text.js';

const PAGE = 50;
const EVERY_MS = 5_000;

class QueueGroups extends HfElement {
  static properties = {
    queue: { attribute: false },
    changes: { attribute: false },
  };

  constructor() {
    super();
    this.queue = '';
    this.changes = 0;
    this.trail = new Trail(this);
    this.loader = new Loader(
      this,
      (signal) =>
        listGroups({ queue: this.queue, limit: PAGE, after: this.trail.after }, signal),
      { everyMs: EVERY_MS },
    );
    this.columns = groupColumns({
      withQueue: false,
      menu: (row) =>
        html`<hf-menu
          small
          .label=${`Acts on the group ${shown(row.name)}`}
          .items=${groupMenu(row, session.whyNot('admin'), () => this.loader.refresh())}
        ></hf-menu>`,
    });
  }

  willUpdate() {
    this.trail.of(this.queue);
    this.loader.want([this.queue, this.trail.after, this.changes], { keep: true });
  }

  render() {
    const { data, error, isStale } = this.loader;
    return panel({
      title: 'Groups',
      test: 'groups',
      body: html`<hf-table
          label="Groups"
          test="group-row"
          .columns=${this.columns}
          .rows=${data?.rows}
          .error=${error}
          .stale=${isStale}
          .keyOf=${(/** @type {Hf.GroupRow} */ row) => row.name}
          .empty=${empty({
            title: 'No consumer yet',
            text: 'A group is created by its first pop. Consumers that name no group share the default group.',
            line: curl(['pop', 'queue', this.queue], { query: { consumerGroup: 'billing' } }),
          })}
        ></hf-table>
        ${data ? trailPager({ shown: data.rows.length, trail: this.trail.marks, next: data.next, to: (marks) => this.trail.to(marks) }) : nothing}`,
    });
  }
}

customElements.define('hf-queue-groups', QueueGroups);
