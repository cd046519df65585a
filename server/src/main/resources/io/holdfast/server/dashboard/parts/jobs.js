/** How far long work has come. */
import { html, nothing } from 'lit';
import { badge } from './badge.js';
import { attempt } from './toast.js';
import { when, wholeName } from './words.js';
import { count } from '../lib/format.js';
import { shownBlock } from '../lib/text.js';
import { cancelJob, isRunning } from '../lib/jobs.js';

const KINDS = { requeue: 'Requeue', remove: 'Remove' };
const SHOWN = 5;

/** The newest jobs, as the server lists them; nothing if there were none. */
export function jobsPanel(jobs, whyNot) {
  if (!jobs.data?.length) {
    return nothing;
  }
  const newest = jobs.data.slice(0, SHOWN);
  return html`<section class="panel" data-test="jobs">
    <header>
      <h2>Work under way</h2>
      <span class="muted small">It goes on by itself; you may leave this page.</span>
    </header>
    ${newest.map((job) => jobRow(job, jobs, whyNot))}
  </section>`;
}

function jobRow(job, jobs, whyNot) {
  return html`<div class="job" data-test="job" data-state=${job.state}>
    <span>
      <strong>${KINDS[job.kind] ?? job.kind}</strong>
      dead letters of ${wholeName(job.queue)}
      <span class="muted">${count(job.done)} of ${count(job.total)}, begun ${when(job.startedAt)}</span>
      ${job.error ? html`<div class="error-text">${shownBlock(job.error)}</div>` : nothing}
    </span>
    ${
      isRunning(job)
        ? html`<button
          type="button"
          class="button small"
          data-test="cancel-job"
          ?disabled=${Boolean(whyNot)}
          title=${whyNot || nothing}
          @click=${async () => {
            await attempt(() => cancelJob(job.id), 'It stops; what it has done stays done.');
            jobs.refresh();
          }}
        >
          Stop
        </button>`
        : badge(job.state)
    }
    <progress max=${Math.max(1, job.total)} .value=${job.done} aria-label="Done"></progress>
  </div>`;
}
