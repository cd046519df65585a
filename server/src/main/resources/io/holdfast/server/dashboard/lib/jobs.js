/** Long work that the server does by itself: followed while it runs. */
import { listJobs } from '../api/dead-letters.js';
import { Loader } from './loader.js';

const RUNNING_MS = 1_000;
const RESTING_MS = 10_000;

/** @param {Hf.Job} job */
export const isRunning = (job) => job.state === 'running';

/**
 * A loader of the jobs: often while one runs, else seldom. Calls onEnd once a job that was seen running has ended.
 *
 * @extends {Loader<Hf.Job[]>}
 */
export class Jobs extends Loader {
  /** @param {Hf.Host} host @param {(job: Hf.Job) => void} [onEnd] */
  constructor(host, onEnd = () => {}) {
    super(host, (signal) => this.fetch(signal), { everyMs: RESTING_MS });
    /** @type {Set<string>} */
    this.running = new Set();
    this.onEnd = onEnd;
    this.want('jobs');
  }

  /** @param {AbortSignal} signal */
  async fetch(signal) {
    const jobs = await listJobs(signal);
    const running = new Set(jobs.filter(isRunning).map((job) => job.id));
    const over = jobs.filter((job) => this.running.has(job.id) && !running.has(job.id));
    this.running = running;
    this.everyMs = running.size > 0 ? RUNNING_MS : RESTING_MS;
    over.forEach((job) => this.onEnd(job));
    return jobs;
  }
}
