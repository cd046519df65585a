/** The live tail of a queue: messages as they are pushed. Looking at them takes no lease and settles nothing. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { at, name, shortId } from '../parts/words.js';
import { preview } from '../parts/preview.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import '../parts/table.js';
import { KEPT_MOST, Tail } from '../lib/tail.js';
import { toMessage } from '../lib/route.js';
import { count } from '../lib/format.js';

/** @type {Hf.Column<Hf.MessageRow>[]} */
const COLUMNS = [
  { label: 'Message', main: true, tight: true, cell: (row) => shortId(row.id, toMessage(row.id)) },
  { label: 'Pushed', num: true, tight: true, cell: (row) => at(row.createdAt, { fine: true }) },
  { label: 'Partition', cell: (row) => name(row.partition) },
  {
    label: 'Transaction id',
    cell: (row) => (row.transactionId === row.id ? html`<span class="zero">–</span>` : name(row.transactionId)),
  },
  { label: 'Payload', rest: true, cell: (row) => preview(row) },
];

class QueueTail extends HfElement {
  static properties = { queue: { attribute: false } };

  constructor() {
    super();
    this.queue = '';
    this.tail = new Tail(this);
  }

  willUpdate() {
    this.tail.of(this.queue);
  }

  render() {
    const { rows, error, isPaused, hasMissed } = this.tail;
    const shown = rows?.length ?? 0;
    return panel({
      title: 'Live tail',
      test: 'tail',
      note: isPaused ? 'Paused' : 'Messages pushed since this tab was opened, newest first',
      acts: html`${actButton({
        label: 'Clear',
        kind: 'small',
        test: 'tail-clear',
        whyNot: shown === 0 ? 'There is nothing to clear.' : '',
        act: () => this.tail.clear(),
      })}
      ${actButton({
        label: isPaused ? 'Continue' : 'Pause',
        drawing: icon(isPaused ? 'play' : 'pause'),
        kind: 'small',
        test: 'tail-pause',
        act: () => this.tail.pause(!isPaused),
      })}`,
      body: html`<hf-table
          label="Live tail"
          test="tail-row"
          .columns=${COLUMNS}
          .rows=${rows}
          .error=${error}
          .empty=${empty({
            title: isPaused ? 'Paused' : 'Waiting for messages',
            text: 'Messages appear here as they are pushed. Watching takes no lease and settles nothing.',
            line: curl(['push'], { body: { items: [{ queue: this.queue, payload: { hello: 'world' } }] } }),
          })}
        ></hf-table>
        ${
          hasMissed
            ? html`<p class="table-note">Messages came faster than they can be shown here; some are missing. See the tab Messages.</p>`
            : shown === KEPT_MOST
              ? html`<p class="table-note">The newest ${count(KEPT_MOST)} messages.</p>`
              : nothing
        }`,
    });
  }
}

customElements.define('hf-queue-tail', QueueTail);
