/** How far long work has come. */
import { html, nothing } from 'lit';
import { badge } from './badge.js';
import { actButton } from './button.js';
import { attempt } from './toast.js';
import { when, wholeName } from './words.js';
import { count } from '../lib/format.js';
import { shownBlock } from '../lib/text.js';
import { cancelJob } from '../api/dead-letters.js';
import { isRunning } from '../lib/jobs.js';

/** @type {Record<string, string>} */
const KINDS = { requeue: 'Requeue', remove: 'Remove' };
const SHOWN = 5;

/**
 * The newest jobs, as the server lists them; nothing if there were none.
 *
 * @param {import("../lib/jobs.js").Jobs} jobs
 * @param {string} whyNot
 */
export function jobsPanel(jobs, whyNot) {
  if (!jobs.data?.length) {
    return nothing;
  }
  const newest = jobs.data.slice(0, SHOWN);
  return html`<section class="panel" data-test="jobs">
    <header>
      <h2>Jobs</h2>
      <span class="muted small">They run on the server; you can leave this page.</span>
    </header>
    ${newest.map((/** @type {Hf.Job} */ job) => jobRow(job, jobs, whyNot))}
  </section>`;
}

/** @param {Hf.Job} job @param {import("../lib/jobs.js").Jobs} jobs @param {string} whyNot */
function jobRow(job, jobs, whyNot) {
  return html`<div class="job" data-test="job" data-state=${job.state}>
    <span>
      <strong>${KINDS[job.kind] ?? job.kind}</strong>
      dead letters of ${wholeName(job.queue)}
      <span class="muted">${count(job.done)} of ${count(job.total)}, started ${when(job.startedAt)}</span>
      ${job.error ? html`<div class="error-text">${shownBlock(job.error)}</div>` : nothing}
    </span>
    ${
      isRunning(job)
        ? actButton({
            label: 'Stop',
            kind: 'small',
            whyNot,
            test: 'cancel-job',
            act: async () => {
              await attempt(() => cancelJob(job.id), 'The job was stopped. Messages that it has processed stay as they are.');
              jobs.refresh();
            },
          })
        : badge(job.state)
    }
    <progress max=${Math.max(1, job.total)} .value=${job.done} aria-label="Done"></progress>
  </div>`;
}
