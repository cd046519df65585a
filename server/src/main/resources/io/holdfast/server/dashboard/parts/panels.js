/** The two charts that the overview and a queue share: what moves, and what is held. */
import { html } from 'lit';
import { figure } from './figure.js';
import { rate, short, duration, waits } from '../lib/format.js';
import './chart.js';

/** @type {(Hf.ChartSeries & { key: keyof Hf.Rates })[]} */
const RATES = [
  { key: 'push', label: 'Push', colour: 1 },
  { key: 'pop', label: 'Pop', colour: 2 },
  { key: 'ack', label: 'Ack', colour: 5 },
  { key: 'nack', label: 'Nack', colour: 4, dashed: true },
];

/** @type {(Hf.ChartSeries & { key: 'waiting' | 'inFlight' | 'delayed' | 'dead' })[]} */
const HELD = [
  { key: 'waiting', label: 'Waiting', colour: 1, filled: true },
  { key: 'inFlight', label: 'In flight', colour: 2 },
  { key: 'delayed', label: 'Delayed', colour: 3, dashed: true },
  { key: 'dead', label: 'Dead', colour: 4 },
];

const FIRST = 'The first points come within a minute.';
const SELDOM = 'No points yet: one is kept each minute, of the 500 busiest queues.';

/**
 * @param {string} title
 * @param {Hf.Content} figures
 * @param {Hf.ChartSeries[]} series
 * @param {import("../lib/series.js").Series} loader
 * @param {(value: number | null | undefined) => string} format
 */
function chartPanel(title, figures, series, loader, format) {
  const none = loader.queue === undefined ? FIRST : SELDOM;
  const data = loader.data ?? { points: [], from: 0, to: 0 };
  return html`<section class="panel" data-test="chart-panel">
    <header><h2>${title}</h2></header>
    <div class="body">
      <div class="figures">${figures}</div>
      <hf-chart .label=${title} .series=${series} .points=${data.points} .from=${data.from} .to=${data.to} .format=${format} .none=${none}></hf-chart>
    </div>
  </section>`;
}

/**
 * @param {Hf.Rates | undefined} rates of this moment; unknown ones are taken from the newest point
 * @param {import('../lib/series.js').Series} loader
 */
export function ratesPanel(rates, loader) {
  const newest = loader.data?.points.at(-1);
  const figures = RATES.map((series) =>
    figure({
      name: series.label,
      value: rate(rates?.[series.key] ?? newest?.[series.key]),
      unit: '/s',
      key: series,
      test: `rate-${series.key}`,
    }),
  );
  return chartPanel('Messages per second', figures, RATES, loader, rate);
}

/**
 * @param {Hf.Counts | undefined} now
 * @param {import('../lib/series.js').Series} loader
 * @param {Record<string, string | undefined>} [links] where the numbers lead, by key
 */
export function heldPanel(now, loader, links = {}) {
  const figures = HELD.map((series) =>
    figure({
      name: series.label,
      value: short(now && (series.key === 'waiting' ? waits(now) : now[series.key])),
      key: series,
      href: links[series.key],
      test: `now-${series.key}`,
    }),
  );
  const oldest =
    now?.oldestMs && waits(now)
      ? [figure({ name: 'Oldest waiting', value: duration(now.oldestMs), test: 'now-oldest' })]
      : [];
  return chartPanel('Messages held', [...figures, ...oldest], HELD, loader, short);
}
