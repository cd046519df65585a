/** What can be done to one message. */
import { html } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { group as groupWord, wholeName, NO_GROUP } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { post, remove } from '../lib/api.js';
import { ago, fromInput, localInput, plural } from '../lib/format.js';

const HOUR = 3_600_000;

/** Takes a message back for all groups. */
export function cancelMessage(message) {
  const held = message.groups.filter(({ state }) => state === 'in_flight').length;
  return confirm({
    title: 'Cancel the message?',
    body: html`<p>
      It is taken out of <strong>${wholeName(message.queue)}</strong> for all ${plural(message.groups.length, 'group')}, in whatever state it is.
      ${held ? 'It leaves the lease that holds it, and its holder is told.' : ''} It cannot be undone.
    </p>`,
    label: 'Cancel the message',
    act: async () => {
      await post(['messages', message.id, 'cancel']);
      say('The message is cancelled.');
    },
  });
}

/** Properties: message. */
class Reschedule extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    time: { state: true },
  };

  constructor() {
    super();
    this.time = localInput(Date.now() + HOUR);
  }

  heading() {
    return 'Reschedule the message';
  }

  submitLabel() {
    return 'Reschedule';
  }

  isReady() {
    return fromInput(this.time) !== undefined;
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
          @input=${(event) => (this.time = event.target.value)}
        />
        <span class="hint">${this.isReady() ? `That is ${ago(fromInput(this.time))}. A time that is past means at once.` : ''}</span>
      </label>`;
  }

  async work() {
    const visibleAt = fromInput(this.time);
    await post(['messages', this.message.id, 'reschedule'], { visibleAt });
    say(`The message is visible ${ago(visibleAt)}.`);
    return true;
  }
}

defineDialog('hf-reschedule', Reschedule);

export const rescheduleMessage = (message) => Reschedule.open({ message });

/** The name by which acks and other routes know a message. */
const nameOf = (message) => message.transactionId ?? message.id;

/** Gives a leased message back for one group, uncharged. */
export function releaseMessage(message, group) {
  return confirm({
    title: 'Release the message?',
    body: html`<p>
      It leaves its lease and comes back at once for <strong>${groupWord(group.consumerGroup)}</strong>. No failure is counted. What its holder
      does with it from now on is refused.
    </p>`,
    label: 'Release',
    act: async () => {
      const done = await post(['ack'], {
        transactionId: nameOf(message),
        partitionId: message.partitionId,
        leaseId: group.leaseId,
        status: 'release',
      });
      if (!done.success) {
        throw new Error(done.error ?? 'it is not in that lease any more');
      }
      say('The message was given back.');
    },
  });
}

/** Properties: message, group. */
class Kill extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    reason: { state: true },
  };

  constructor() {
    super();
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
          placeholder="For those who find it later"
          .value=${this.reason}
          @input=${(event) => (this.reason = event.target.value)}
        />
      </label>`;
  }

  async work() {
    const body = { consumerGroup: this.group.consumerGroup };
    if (this.reason) {
      body.error = this.reason;
    }
    const { result } = await post(['messages', this.message.partitionId, nameOf(this.message), 'dlq'], body);
    say(
      result === 'failed_dropped'
        ? 'The queue keeps no dead letters: the message was dropped.'
        : 'The message is a dead letter.',
    );
    return true;
  }
}

defineDialog('hf-kill', Kill);

export const killMessage = (message, group) => Kill.open({ message, group });

/** Delivers a dead letter again, to the group it is dead for. */
export function requeueMessage(message, consumerGroup) {
  return confirm({
    title: 'Requeue the dead letter?',
    body: html`<p>
      It goes back to its old place in <strong>${wholeName(message.queue)}</strong> and is delivered again to
      ${consumerGroup === NO_GROUP ? 'those who read without a group' : html`<strong>${groupWord(consumerGroup)}</strong>`}, with no failures counted.
    </p>`,
    label: 'Requeue',
    danger: false,
    act: async () => {
      await post(['dlq', message.id, 'replay'], { consumerGroup });
      say('It will be delivered again.');
    },
  });
}

/** Removes a dead letter for good. */
export function removeDeadLetter(message, consumerGroup) {
  return confirm({
    title: 'Remove the dead letter?',
    body: html`<p>
      The dead letter of <strong>${groupWord(consumerGroup)}</strong> in <strong>${wholeName(message.queue)}</strong> is gone for good, with its
      payload and attempts.
    </p>`,
    label: 'Remove',
    act: async () => {
      await remove(['dlq', message.id], { query: { consumerGroup } });
      say('The dead letter is removed.');
    },
  });
}
