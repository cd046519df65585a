/** Numbers over time, for charts: loaded again as often as a new point can be there. */
import { get } from './api.js';
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

/** A loader of the numbers of the broker, or of one queue. */
export class Series extends Loader {
  constructor(host) {
    super(host, (signal) => this.fetch(signal), { everyMs: SOONEST_MS });
    this.span = SPANS[0];
    this.queue = undefined;
  }

  /** Looks at another span, or at another queue. */
  show(span, queue) {
    this.span = SPANS.find(({ id }) => id === span) ?? SPANS[0];
    this.queue = queue;
    this.everyMs = Math.max(SOONEST_MS, this.span.ms / POINTS);
    this.want([this.span.id, queue], { keep: this.data !== undefined });
  }

  async fetch(signal) {
    const to = Date.now();
    const from = to - this.span.ms;
    const query = {
      queue: this.queue,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      points: POINTS,
    };
    const data = await get(['status', 'series'], { query, signal });
    // A broker that was started lately has few points: they get the room.
    const first = data.points[0]?.time ?? from;
    return { ...data, from: Math.max(data.from, Math.min(first, data.to - SHORTEST_MS)) };
  }
}
