/** Actions on many dead letters: requeue or remove all that match, counted first. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { wholeName, group as groupWord } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { listDeadLetters, removeMatching, removeOne, requeue, requeueMatching } from '../api/dead-letters.js';
import { sentence } from '../lib/api.js';
import { count, duration, plural, moment } from '../lib/format.js';
import { pieces } from '../lib/text.js';

/** More than this is done in the background, so that the answer does not have to wait for it. */
const BACKGROUND_FROM = 5_000;

/** The quickest pace that the server keeps. */
const PER_SECOND_MOST = 1_000;

/**
 * A filter in words.
 *
 * @param {Hf.DeadFilter} filter
 */
function described(filter) {
  const parts = [
    html`of <strong>${wholeName(filter.queue)}</strong>`,
    filter.consumerGroup ? html`of the group <strong>${groupWord(filter.consumerGroup)}</strong>` : null,
    filter.partition ? html`of the partition <strong>${wholeName(filter.partition)}</strong>` : null,
    filter.messageId ? html`of the message <code>${pieces(filter.messageId)}</code>` : null,
    filter.error ? html`whose error contains “${pieces(filter.error)}”` : null,
    filter.from ? html`that died after ${moment(filter.from)}` : null,
    filter.to ? html`that died before ${moment(filter.to)}` : null,
  ].filter(Boolean);
  return parts.map((part, at) => html`${at > 0 ? ', ' : ''}${part}`);
}

/** Starts with a dry run, and shows the count. */
class RequeueMany extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    found: { state: true },
    perSecond: { state: true },
  };

  constructor() {
    super();
    /** @type {Hf.DeadFilter} */
    this.filter = {};
    /** @type {number | undefined} */
    this.found = undefined;
    this.perSecond = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.dryRun();
  }

  async dryRun() {
    this.found = undefined;
    this.failure = undefined;
    try {
      const dry = await requeueMatching({ ...this.filter, dryRun: true });
      this.found = dry.count;
    } catch (error) {
      this.failure = error;
    }
  }

  heading() {
    return 'Requeue dead letters';
  }

  submitLabel() {
    return this.found === undefined ? 'Requeue' : `Requeue ${plural(this.found, 'dead letter')}`;
  }

  whyNot() {
    if (this.found === undefined) {
      return this.failure ? 'The dry run failed.' : 'The dry run is not finished.';
    }
    if (this.found === 0) {
      return 'No dead letter matches.';
    }
    return this.perSecond === '' || this.isPace() ? '' : 'The rate is not valid.';
  }

  isPace() {
    const rate = Number(this.perSecond);
    return Number.isInteger(rate) && rate >= 1 && rate <= PER_SECOND_MOST;
  }

  more() {
    return html`<button type="button" class="button" data-test="dry-run" @click=${() => this.dryRun()}>Dry run again</button>`;
  }

  content() {
    return html`<p>All dead letters ${described(this.filter)}.</p>
      <p role="status" data-test="dry-run-result">
        ${
          this.found === undefined
            ? this.failure
              ? nothing
              : 'Counting…'
            : this.found === 0
              ? 'Dry run: no dead letter matches.'
              : html`Dry run: <strong>${plural(this.found, 'dead letter')}</strong> would return to ${this.found === 1 ? 'its' : 'their'} position in the queue,
                each for its own group, with its failures reset.`
        }
      </p>
      <label class="field">
        <span>Most per second</span>
        <input
          type="number"
          min="1"
          max=${PER_SECOND_MOST}
          placeholder="No limit"
          data-test="per-second"
          .value=${this.perSecond}
          @input=${(/** @type {Hf.FieldEvent} */ event) => (this.perSecond = event.target.value)}
        />
        <span class="hint">${this.pace()}</span>
      </label>`;
  }

  pace() {
    const rate = Number(this.perSecond);
    if (this.perSecond !== '' && !this.isPace()) {
      return `Expected a whole number from 1 to ${count(PER_SECOND_MOST)}.`;
    }
    if (!rate || !this.found) {
      return 'Limits the load on consumers. It then runs in the background.';
    }
    return `It takes about ${duration((this.found / rate) * 1000)}, in the background.`;
  }

  async work() {
    /** @type {Parameters<typeof requeueMatching>[0]} */
    const body = { ...this.filter };
    if (this.perSecond !== '') {
      body.perSecond = Number(this.perSecond);
    } else if ((this.found ?? 0) > BACKGROUND_FROM) {
      body.background = true;
    }
    const answer = await requeueMatching(body);
    say(
      answer.job
        ? `Requeueing ${count(answer.job.total)} in the background.`
        : `${plural(answer.count, 'dead letter')} requeued.`,
    );
    return answer;
  }
}

defineDialog('hf-requeue-many', RequeueMany);

/**
 * Requeues all that fit; promises the answer.
 *
 * @param {Hf.DeadFilter} filter
 */
export const requeueMany = (filter) => RequeueMany.open({ filter });

/**
 * Removes all that match, permanently.
 *
 * @param {Hf.DeadFilter} filter
 */
export async function removeMany(filter) {
  const { total } = await listDeadLetters({ ...filter, limit: 1 });
  return confirm({
    title: 'Remove dead letters?',
    body: html`<p>
      This removes <strong>${plural(total, 'dead letter')}</strong> ${described(filter)}, with payloads and attempts. It cannot be undone: export them
      first if they may be needed.
    </p>`,
    label: `Remove ${plural(total, 'dead letter')}`,
    typed: filter.queue,
    act: async () => {
      const { count: removed, job } = await removeMatching(filter, total > BACKGROUND_FROM);
      say(job ? `Removing ${count(job.total)} in the background.` : `${plural(removed, 'dead letter')} removed.`);
    },
  });
}

/**
 * Applies an action to each of some letters, one after the other, and shows the outcome.
 *
 * @param {Hf.DeadLetter[]} letters
 * @param {(letter: Hf.DeadLetter) => Promise<unknown>} act
 * @param {string} word
 */
async function each(letters, act, word) {
  let done = 0;
  /** @type {unknown[]} */
  const refused = [];
  for (const letter of letters) {
    try {
      await act(letter);
      done++;
    } catch (error) {
      refused.push(error);
    }
  }
  if (refused.length > 0) {
    throw new Error(`${plural(done, 'dead letter')} ${word}, ${count(refused.length)} not: ${sentence(refused[0])}`);
  }
  say(`${plural(done, 'dead letter')} ${word}.`);
}

/**
 * Requeues those that were picked.
 *
 * @param {Hf.DeadLetter[]} letters
 */
export function requeuePicked(letters) {
  return confirm({
    title: `Requeue ${plural(letters.length, 'dead letter')}?`,
    body: html`<p>Each returns to its position in the queue for its own group, with its failures reset.</p>`,
    label: `Requeue ${plural(letters.length, 'dead letter')}`,
    danger: false,
    act: () =>
      each(
        letters,
        (/** @type {Hf.DeadLetter} */ letter) => requeue(letter.id, letter.consumerGroup),
        'requeued',
      ),
  });
}

/**
 * Removes those that were picked.
 *
 * @param {Hf.DeadLetter[]} letters
 */
export function removePicked(letters) {
  return confirm({
    title: `Remove ${plural(letters.length, 'dead letter')}?`,
    body: html`<p>They are removed permanently, with payloads and attempts.</p>`,
    label: `Remove ${plural(letters.length, 'dead letter')}`,
    act: () =>
      each(
        letters,
        (/** @type {Hf.DeadLetter} */ letter) => removeOne(letter.id, letter.consumerGroup),
        'removed',
      ),
  });
}
