/** Actions on one message. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { group as groupWord, wholeName, NO_GROUP } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { cancel, kill, release, reschedule } from '../api/messages.js';
import { removeOne, requeue } from '../api/dead-letters.js';
import { ago, fromInput, localInput, plural } from '../lib/format.js';

const HOUR = 3_600_000;

/**
 * Takes a message back for all groups.
 *
 * @param {Hf.Message} message
 */
export function cancelMessage(message) {
  const held = message.groups.filter(({ state }) => state === 'in_flight').length;
  return confirm({
    title: 'Cancel the message?',
    body: html`<p>
      It is taken out of <strong>${wholeName(message.queue)}</strong> for all ${plural(message.groups.length, 'group')}, in whatever state it is.
      ${held ? 'It leaves the lease that holds it, and its holder is notified.' : ''} It cannot be undone.
    </p>`,
    label: 'Cancel the message',
    act: async () => {
      await cancel(message.id);
      say('The message is cancelled.');
    },
  });
}

class Reschedule extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    time: { state: true },
  };

  constructor() {
    super();
    this.message = /** @type {Hf.Message} */ ({});
    this.time = localInput(Date.now() + HOUR);
  }

  heading() {
    return 'Reschedule the message';
  }

  submitLabel() {
    return 'Reschedule';
  }

  whyNot() {
    return fromInput(this.time) === undefined ? 'The time is not complete.' : '';
  }

  content() {
    return html`<p>It becomes visible at another time. If a lease holds it, it leaves that lease.</p>
      <label class="field">
        <span>Visible from</span>
        <input
          type="datetime-local"
          step="1"
          data-test="reschedule-time"
          .value=${this.time}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.time = event.target.value)}
        />
        <span class="hint">${this.whyNot() === '' ? `That is ${ago(fromInput(this.time))}. A time in the past means now.` : ''}</span>
      </label>`;
  }

  async work() {
    const visibleAt = fromInput(this.time) ?? '';
    await reschedule(this.message.id, visibleAt);
    say(`The message is visible ${ago(visibleAt)}.`);
    return true;
  }
}

defineDialog('hf-reschedule', Reschedule);

/** @param {Hf.Message} message */
export const rescheduleMessage = (message) => Reschedule.open({ message });

/**
 * Gives a leased message back for one group, uncharged.
 *
 * @param {Hf.Message} message
 * @param {Hf.MessageGroup} group
 */
export function releaseMessage(message, group) {
  return confirm({
    title: 'Release the message?',
    body: html`<p>
      It leaves its lease and becomes visible at once for <strong>${groupWord(group.consumerGroup)}</strong>. No failure is counted. Acks by its holder
      are refused from now on.
    </p>`,
    label: 'Release',
    act: async () => {
      await release(message, group);
      say('The message was returned to the queue.');
    },
  });
}

class Kill extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    reason: { state: true },
  };

  constructor() {
    super();
    this.message = /** @type {Hf.Message} */ ({});
    this.group = /** @type {Hf.MessageGroup} */ ({});
    this.reason = '';
  }

  heading() {
    return 'Make it a dead letter?';
  }

  submitLabel() {
    return 'Make it a dead letter';
  }

  get danger() {
    return true;
  }

  content() {
    return html`<p>
        It is not delivered to <strong>${groupWord(this.group.consumerGroup)}</strong> any more, and is kept as a dead letter. It can be requeued
        from there.
      </p>
      <label class="field">
        <span>Why</span>
        <input
          type="text"
          data-test="kill-reason"
          placeholder="Shown with the dead letter"
          .value=${this.reason}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.reason = event.target.value)}
        />
      </label>`;
  }

  async work() {
    const { isDropped } = await kill(this.message, this.group, this.reason);
    say(isDropped ? 'The queue keeps no dead letters: the message was dropped.' : 'The message is a dead letter.');
    return true;
  }
}

defineDialog('hf-kill', Kill);

/** @param {Hf.Message} message @param {Hf.MessageGroup} group */
export const killMessage = (message, group) => Kill.open({ message, group });

/** Delivers a dead letter again, to the group it is dead for. @param {{ id: string, queue: string }} message @param {string} consumerGroup */
export function requeueMessage(message, consumerGroup) {
  return confirm({
    title: 'Requeue the dead letter?',
    body: html`<p>
      It returns to its position in <strong>${wholeName(message.queue)}</strong> and is delivered again to
      ${consumerGroup === NO_GROUP ? 'the default group' : html`<strong>${groupWord(consumerGroup)}</strong>`}, with its failures reset.
    </p>`,
    label: 'Requeue',
    danger: false,
    act: async () => {
      await requeue(message.id, consumerGroup);
      say('It will be delivered again.');
    },
  });
}

/** Removes a dead letter permanently. @param {{ id: string, queue: string }} message @param {string} consumerGroup */
export function removeDeadLetter(message, consumerGroup) {
  return confirm({
    title: 'Remove the dead letter?',
    body: html`<p>
      The dead letter of <strong>${groupWord(consumerGroup)}</strong> in <strong>${wholeName(message.queue)}</strong> is removed permanently, with its
      payload and attempts.
    </p>`,
    label: 'Remove',
    act: async () => {
      await removeOne(message.id, consumerGroup);
      say('The dead letter is removed.');
    },
  });
}
