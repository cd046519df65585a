/** Numbers over time, for charts: loaded again as often as a new point can be there. */
import { readSeries } from '../api/system.js';
import { isNotFound } from './api.js';
import { Loader } from './loader.js';

const HOUR = 3_600_000;
const POINTS = 240;
const SOONEST_MS = 10_000;
const SHORTEST_MS = 300_000;

export const SPANS = [
  { id: '1h', word: '1 h', ms: HOUR },
  { id: '6h', word: '6 h', ms: 6 * HOUR },
  { id: '24h', word: '24 h', ms: 24 * HOUR },
];

/**
 * A loader of the numbers of the broker, or of one queue.
 *
 * @extends {Loader<Hf.SeriesData>}
 */
export class Series extends Loader {
  /** @param {Hf.Host} host */
  constructor(host) {
    super(host, (signal) => this.fetch(signal), { everyMs: SOONEST_MS });
    this.span = SPANS[0];
    /** @type {string | undefined} */
    this.queue = undefined;
  }

  /**
   * Looks at another span, or at another queue.
   *
   * @param {string} span
   * @param {string} [queue]
   */
  show(span, queue) {
    this.span = SPANS.find(({ id }) => id === span) ?? SPANS[0];
    this.queue = queue;
    this.everyMs = Math.max(SOONEST_MS, this.span.ms / POINTS);
    this.want([this.span.id, queue], { keep: this.data !== undefined });
  }

  /** @param {AbortSignal} signal */
  async fetch(signal) {
    const to = Date.now();
    const from = to - this.span.ms;
    const query = {
      queue: this.queue,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      points: POINTS,
    };
    const data = await readSeries(query, signal).catch((error) => {
      if (isNotFound(error)) {
        // A queue that is not in a sample yet.
        return { from, to, points: [] };
      }
      throw error;
    });
    // A broker that was started lately has few points: they get the room.
    const first = data.points[0]?.time ?? from;
    return { ...data, from: Math.max(data.from, Math.min(first, data.to - SHORTEST_MS)) };
  }
}
