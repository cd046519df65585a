/** Long work that the server does by itself: followed while it runs. */
import { get, remove } from './api.js';
import { Loader } from './loader.js';

const RUNNING_MS = 1_000;
const RESTING_MS = 10_000;

export const isRunning = (job) => job.state === 'running';

/** A loader of the jobs: often while one runs, else seldom. Calls ended once one that was seen running has ended. */
export class Jobs extends Loader {
  constructor(host, ended = () => {}) {
    super(host, (signal) => this.fetch(signal), { everyMs: RESTING_MS });
    this.running = new Set();
    this.ended = ended;
    this.want('jobs');
  }

  async fetch(signal) {
    const { jobs } = await get(['jobs'], { signal });
    const running = new Set(jobs.filter(isRunning).map((job) => job.id));
    const over = jobs.filter((job) => this.running.has(job.id) && !running.has(job.id));
    this.running = running;
    this.everyMs = running.size > 0 ? RUNNING_MS : RESTING_MS;
    over.forEach((job) => this.ended(job));
    return jobs;
  }
}

/** Stops a job; what it has done stays done. */
export const cancelJob = (id) => remove(['jobs', id]);
