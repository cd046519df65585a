/** What can be done to many dead letters: requeue or remove all that fit, counted first. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { wholeName, group as groupWord } from '../parts/words.js';
import { say } from '../parts/toast.js';
import { get, post, remove } from '../lib/api.js';
import { count, duration, plural, moment } from '../lib/format.js';
import { pieces } from '../lib/text.js';

/** More than this is done in the background, so that the answer does not have to wait for it. */
const BACKGROUND_FROM = 5_000;

/** The quickest pace that the server keeps. */
const PER_SECOND_MOST = 1_000;

/** A filter in words. */
function told(filter) {
  const parts = [
    html`of <strong>${wholeName(filter.queue)}</strong>`,
    filter.consumerGroup ? html`of the group <strong>${groupWord(filter.consumerGroup)}</strong>` : null,
    filter.partition ? html`of the partition <strong>${wholeName(filter.partition)}</strong>` : null,
    filter.messageId ? html`of the message <code>${pieces(filter.messageId)}</code>` : null,
    filter.error ? html`whose error has “${pieces(filter.error)}” in it` : null,
    filter.from ? html`that died from ${moment(filter.from)}` : null,
    filter.to ? html`that died up to ${moment(filter.to)}` : null,
  ].filter(Boolean);
  return parts.map((part, at) => html`${at > 0 ? ', ' : ''}${part}`);
}

/** Properties: filter. It makes a dry run first, and says what it found. */
class RequeueMany extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    found: { state: true },
    perSecond: { state: true },
  };

  constructor() {
    super();
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
      const { requeued } = await post(['dlq', 'requeue'], { ...this.filter, dryRun: true });
      this.found = requeued;
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

  isReady() {
    return this.found > 0 && (this.perSecond === '' || this.isPace());
  }

  isPace() {
    const rate = Number(this.perSecond);
    return Number.isInteger(rate) && rate >= 1 && rate <= PER_SECOND_MOST;
  }

  more() {
    return html`<button type="button" class="button" data-test="dry-run" @click=${() => this.dryRun()}>Dry run again</button>`;
  }

  content() {
    return html`<p>All dead letters ${told(this.filter)}.</p>
      <p role="status" data-test="dry-run-result">
        ${
          this.found === undefined
            ? this.failure
              ? nothing
              : 'Counting…'
            : this.found === 0
              ? 'Dry run: nothing fits.'
              : html`Dry run: <strong>${plural(this.found, 'dead letter')}</strong> would go back to ${this.found === 1 ? 'its' : 'their'} old place,
                each for its own group, with no failures counted.`
        }
      </p>
      <label class="field">
        <span>At most so many per second</span>
        <input
          type="number"
          min="1"
          max=${PER_SECOND_MOST}
          placeholder="As fast as it goes"
          data-test="per-second"
          .value=${this.perSecond}
          @input=${(event) => (this.perSecond = event.target.value)}
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
      return 'Spares those who consume them; it then goes on in the background.';
    }
    return `It takes about ${duration((this.found / rate) * 1000)}, in the background.`;
  }

  async work() {
    const body = { ...this.filter };
    if (this.perSecond !== '') {
      body.perSecond = Number(this.perSecond);
    } else if (this.found > BACKGROUND_FROM) {
      body.background = true;
    }
    const answer = await post(['dlq', 'requeue'], body);
    say(
      answer.job
        ? `Requeueing ${count(answer.job.total)} in the background.`
        : `${plural(answer.requeued, 'dead letter')} requeued.`,
    );
    return answer;
  }
}

defineDialog('hf-requeue-many', RequeueMany);

/** Requeues all that fit; promises the answer. */
export const requeueMany = (filter) => RequeueMany.open({ filter });

/** Removes all that fit, for good. */
export async function removeMany(filter) {
  const { total } = await get(['dlq'], { query: { ...filter, limit: 1 } });
  return confirm({
    title: 'Remove dead letters?',
    body: html`<p>
      This removes <strong>${plural(total, 'dead letter')}</strong> ${told(filter)}, with payloads and attempts. It cannot be undone: export them
      first if somebody may want them.
    </p>`,
    label: `Remove ${plural(total, 'dead letter')}`,
    typed: filter.queue,
    act: async () => {
      const background = total > BACKGROUND_FROM ? true : undefined;
      const { deleted, job } = await remove(['dlq'], { query: { ...filter, background } });
      say(job ? `Removing ${count(job.total)} in the background.` : `${plural(deleted, 'dead letter')} removed.`);
    },
  });
}

/** Does one thing to each of some letters, one after the other; says how it went. */
async function each(letters, act, word) {
  let done = 0;
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
    throw new Error(`${plural(done, 'dead letter')} ${word}, ${count(refused.length)} not: ${refused[0].message}`);
  }
  say(`${plural(done, 'dead letter')} ${word}.`);
}

/** Requeues those that were picked. */
export function requeuePicked(letters) {
  return confirm({
    title: `Requeue ${plural(letters.length, 'dead letter')}?`,
    body: html`<p>Each goes back to its old place for its own group, with no failures counted.</p>`,
    label: `Requeue ${plural(letters.length, 'dead letter')}`,
    danger: false,
    act: () =>
      each(
        letters,
        (letter) => post(['dlq', letter.id, 'replay'], { consumerGroup: letter.consumerGroup }),
        'requeued',
      ),
  });
}

/** Removes those that were picked. */
export function removePicked(letters) {
  return confirm({
    title: `Remove ${plural(letters.length, 'dead letter')}?`,
    body: html`<p>They are gone for good, with payloads and attempts.</p>`,
    label: `Remove ${plural(letters.length, 'dead letter')}`,
    act: () =>
      each(
        letters,
        (letter) => remove(['dlq', letter.id], { query: { consumerGroup: letter.consumerGroup } }),
        'removed',
      ),
  });
}
