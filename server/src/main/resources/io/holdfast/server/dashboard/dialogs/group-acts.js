/** What can be done to a group: move it, or forget it. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { wholeName, group as groupWord, NO_GROUP } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { post, remove } from '../lib/api.js';
import { fromInput, localInput, plural } from '../lib/format.js';
import { shown } from '../lib/text.js';

const HOUR = 3_600_000;

const PLACES = [
  ['beginning', 'The beginning', 'Everything that is still kept is delivered again.'],
  ['end', 'The end', 'What waits is skipped: it counts as settled for this group.'],
  ['time', 'A time', 'What entered the queue at or after it is delivered.'],
];

const said = (group) => (group === NO_GROUP ? 'no group' : shown(group));

/** Properties: row, a group as the server lists it. */
class Seek extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    place: { state: true },
    time: { state: true },
  };

  constructor() {
    super();
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

  isReady() {
    return this.place !== 'time' || fromInput(this.time) !== undefined;
  }

  content() {
    const { row } = this;
    return html`<p>
        Where shall <strong>${groupWord(row.name)}</strong> go on in <strong>${wholeName(row.queueName)}</strong>? It has
        ${plural(row.totalLag, 'message')} ahead now. Its ${plural(row.members, 'lease')} there end${row.members === 1 ? 's' : ''}, and what came back
        to it is forgotten.
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
              @input=${(event) => (this.time = event.target.value)}
            />`
            : nothing
        }
      </div>`;
  }

  async work() {
    const { row } = this;
    const body = {
      beginning: { toBeginning: true },
      end: { toEnd: true },
      time: { timestamp: fromInput(this.time) },
    }[this.place];
    const moved = await post(['consumer-groups', row.name, 'queues', row.queueName, 'seek'], body);
    say(
      `${said(row.name)} was moved on ${plural(moved.partitionsUpdated, 'partition')} and has ${plural(moved.totalLag, 'message')} ahead${moved.clamped ? '; some from there on are no longer kept' : ''}.`,
    );
    return true;
  }
}

defineDialog('hf-seek', Seek);

export const seekGroup = (row) => Seek.open({ row });

/** Forgets a group of one queue. */
export function deleteGroup(row) {
  return confirm({
    title: 'Delete the group?',
    body: html`<p>
      <strong>${groupWord(row.name)}</strong> is forgotten in <strong>${wholeName(row.queueName)}</strong>, with where it stands, its
      ${plural(row.members, 'lease')} and its ${plural(row.deadLetters, 'dead letter')}. Its messages stay for other groups. A later pop of this name begins
      anew.
    </p>`,
    label: 'Delete the group',
    typed: row.name === NO_GROUP ? undefined : row.name,
    act: async () => {
      await remove(['consumer-groups', row.name, 'queues', row.queueName]);
      say(`The group ${said(row.name)} of ${shown(row.queueName)} is deleted.`);
    },
  });
}

/** The acts of a row, for a menu; done is called after one. */
export function groupMenu(row, whyNot, done) {
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
