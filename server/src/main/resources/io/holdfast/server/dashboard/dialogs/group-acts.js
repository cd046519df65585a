/** Actions on a group: seek and delete. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { wholeName, group as groupWord, NO_GROUP } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { deleteGroup as remove, seek } from '../api/groups.js';
import { fromInput, localInput, plural } from '../lib/format.js';
import { shown } from '../lib/text.js';

const HOUR = 3_600_000;

const PLACES = [
  ['beginning', 'The beginning', 'All retained messages are delivered again.'],
  ['end', 'The end', 'Waiting messages are skipped: they count as settled for this group.'],
  ['time', 'A time', 'Messages that entered the queue at or after it are delivered.'],
];

/** @param {string} group */
const said = (group) => (group === NO_GROUP ? 'The default group' : shown(group));

class Seek extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    place: { state: true },
    time: { state: true },
  };

  constructor() {
    super();
    this.row = /** @type {Hf.GroupRow} */ ({});
    this.place = 'beginning';
    this.time = localInput(Date.now() - HOUR);
  }

  heading() {
    return 'Move the group';
  }

  submitLabel() {
    return 'Move the group';
  }

  get danger() {
    return true;
  }

  whyNot() {
    return this.place !== 'time' || fromInput(this.time) !== undefined ? '' : 'The time is not complete.';
  }

  content() {
    const { row } = this;
    return html`<p>
        Choose where <strong>${groupWord(row.name)}</strong> continues in <strong>${wholeName(row.queue)}</strong>. It has
        ${plural(row.lag, 'unsettled message')} now. Its ${plural(row.leases, 'lease')} there end${row.leases === 1 ? 's' : ''}, and returned messages are
        forgotten.
      </p>
      <div class="field">
        ${PLACES.map(
          ([place, word, text]) =>
            html`<label class="check field">
              <input
                type="radio"
                name="place"
                data-test="seek-${place}"
                .checked=${this.place === place}
                @change=${() => (this.place = place)}
              />
              <span>${word}<span class="hint">${text}</span></span>
            </label>`,
        )}
        ${
          this.place === 'time'
            ? html`<input
              type="datetime-local"
              step="1"
              aria-label="Time"
              data-test="seek-time-value"
              .value=${this.time}
              @input=${(/** @type {Hf.FieldEvent} */ event) => (this.time = event.target.value)}
            />`
            : nothing
        }
      </div>`;
  }

  target() {
    switch (this.place) {
      case 'beginning':
        return { toBeginning: /** @type {const} */ (true) };
      case 'end':
        return { toEnd: /** @type {const} */ (true) };
      default:
        return { timestamp: fromInput(this.time) };
    }
  }

  async work() {
    const { row } = this;
    const moved = await seek(row, this.target());
    say(
      `${said(row.name)} was moved in ${plural(moved.partitions, 'partition')} and has ${plural(moved.lag, 'unsettled message')}${moved.clamped ? '; some messages from there on are no longer retained' : ''}.`,
    );
    return true;
  }
}

defineDialog('hf-seek', Seek);

/** @param {Hf.GroupRow} row */
export const seekGroup = (row) => Seek.open({ row });

/**
 * Forgets a group of one queue.
 *
 * @param {Hf.GroupRow} row
 */
export function deleteGroup(row) {
  return confirm({
    title: 'Delete the group?',
    body: html`<p>
      <strong>${groupWord(row.name)}</strong> is forgotten in <strong>${wholeName(row.queue)}</strong>, with where it stands, its
      ${plural(row.leases, 'lease')} and its ${plural(row.dead, 'dead letter')}. Its messages stay for other groups. A later pop with this name creates
      the group again.
    </p>`,
    label: 'Delete the group',
    typed: row.name === NO_GROUP ? undefined : row.name,
    act: async () => {
      await remove(row);
      say(`The group ${said(row.name)} of ${shown(row.queue)} is deleted.`);
    },
  });
}

/**
 * The acts of a row, for a menu; done is called after one.
 *
 * @param {Hf.GroupRow} row
 * @param {string} whyNot
 * @param {() => void} done
 */
export function groupMenu(row, whyNot, done) {
  /** @param {Promise<unknown>} act */
  const after = async (act) => {
    if (await act) {
      done();
    }
  };
  return [
    { label: 'Move (seek)', icon: 'hand', whyNot, test: 'act-seek', act: () => after(seekGroup(row)) },
    {
      label: 'Delete',
      icon: 'bin',
      danger: true,
      whyNot,
      test: 'act-delete-group',
      act: () => after(deleteGroup(row)),
    },
  ];
}
