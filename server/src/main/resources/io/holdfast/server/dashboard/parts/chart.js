/** Lines over time, drawn by Chart.js in the colours of the theme. */
import { html } from 'lit';
import { HfElement } from './element.js';
import { themeChanged } from '../lib/theme.js';
import { axisMoment, fullMoment } from '../lib/format.js';

const MINUTE = 60_000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);
const MARKS_MOST = 8;
const GRID_LINES = 5;

/** @typedef {{ x: number, y: number | null }[]} Line */
/** @typedef {import('chart.js').Chart<'line', Line>} LineChartOf */

/** @type {Promise<typeof import('chart.js').Chart> | undefined} */
let library;

/** The library is large, so it comes with the first chart. */
function chartLibrary() {
  library ??= import('chart.js').then((chart) => {
    const { Chart, LineController, LineElement, PointElement, LinearScale, Tooltip, Filler } = chart;
    Chart.register(LineController, LineElement, PointElement, LinearScale, Tooltip, Filler);
    return Chart;
  });
  return library;
}

/**
 * The marks of an axis without those whose label an earlier one has.
 *
 * @param {{ value: number }[]} all
 * @param {(value: number) => string} label
 */
function distinct(all, label) {
  const labels = new Set();
  return all.filter(({ value }) => {
    const text = label(value);
    return !labels.has(text) && labels.add(text);
  });
}

/**
 * Marks at round times, no more than there is room for.
 *
 * @param {number} from
 * @param {number} to
 * @param {(ms: number) => string} label
 */
function marks(from, to, label) {
  const step = STEPS.find((ms) => (to - from) / ms <= MARKS_MOST) ?? STEPS[STEPS.length - 1];
  const zone = new Date(from).getTimezoneOffset() * MINUTE;
  const all = [];
  for (let at = Math.ceil((from - zone) / step) * step + zone; at <= to; at += step) {
    all.push({ value: at });
  }
  return distinct(all, label);
}

/**
 * A chart of points {time, ...} over a span.
 *
 * Series are objects: key (of a point), label, colour (1 to 5), dashed, filled.
 */
class LineChart extends HfElement {
  static properties = {
    label: {},
    series: { attribute: false },
    points: { attribute: false },
    from: { type: Number },
    to: { type: Number },
    format: { attribute: false },
    none: {},
  };

  constructor() {
    super();
    this.label = '';
    /** @type {Hf.Point[]} */
    this.points = [];
    /** @type {Hf.ChartSeries[]} */
    this.series = [];
    this.from = 0;
    this.to = 0;
    /** @type {(value: number | null | undefined) => string} */
    this.format = String;
    /** @type {LineChartOf | null} */
    this.chart = null;
    this.none = 'The first points come within a minute.';
    this.repaint = () => this.draw(true);
  }

  connectedCallback() {
    super.connectedCallback();
    themeChanged.addEventListener('change', this.repaint);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    themeChanged.removeEventListener('change', this.repaint);
    this.chart?.destroy();
    this.chart = null;
  }

  get isBare() {
    return this.points.length < 2;
  }

  /** The chart in words, for screen readers. */
  get words() {
    if (this.isBare) {
      return `${this.label}: no data yet`;
    }
    const said = this.series.map(({ key, label }) => {
      const values = this.points.map((point) => point[key]).filter((value) => value !== null && value !== undefined);
      return values.length === 0
        ? `${label} unknown`
        : `${label} now ${this.format(values.at(-1))}, lowest ${this.format(Math.min(...values))}, highest ${this.format(Math.max(...values))}`;
    });
    return `${this.label}: ${said.join('; ')}`;
  }

  render() {
    return html`<div class="chart">
      <canvas role="img" aria-label=${this.words} ?hidden=${this.isBare}></canvas>
      ${this.isBare ? html`<p class="none">${this.none}</p>` : ''}
    </div>`;
  }

  updated() {
    this.draw(false);
  }

  /** @param {boolean} isNewTheme */
  async draw(isNewTheme) {
    if (this.isBare) {
      return;
    }
    const Chart = await chartLibrary();
    if (!this.isConnected) {
      return;
    }
    if (!this.chart || isNewTheme) {
      this.chart?.destroy();
      this.chart = new Chart(/** @type {HTMLCanvasElement} */ (this.querySelector('canvas')), this.settings());
    }
    const { chart } = this;
    chart.data.datasets.forEach((line, at) => {
      const { key } = this.series[at];
      line.data = this.points.map((point) => ({ x: point.time, y: point[key] ?? null }));
    });
    const axis = chart.options.scales?.x;
    if (axis) {
      axis.min = this.from;
      axis.max = this.to;
    }
    chart.update('none');
  }

  /** @param {string} name */
  colour(name) {
    const probe = document.createElement('span');
    probe.className = `key ${name}`;
    this.append(probe);
    const { borderTopColor } = getComputedStyle(probe);
    probe.remove();
    return borderTopColor;
  }

  /**
   * The current value of a CSS variable.
   *
   * @param {string} variable
   */
  ink(variable) {
    const probe = document.createElement('span');
    probe.style.color = `var(${variable})`;
    this.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  /**
   * @param {Hf.ChartSeries} series
   * @returns {import('chart.js').ChartDataset<'line', Line>}
   */
  lineOf({ label, colour, dashed, filled }) {
    const ink = this.colour(`is-${colour}`);
    return {
      label,
      data: [],
      borderColor: ink,
      backgroundColor: filled ? ink.replace('rgb(', 'rgba(').replace(')', ', 0.1)') : 'transparent',
      fill: filled ? 'origin' : false,
      borderWidth: 1.75,
      borderDash: dashed ? [5, 4] : [],
      pointRadius: 0,
      pointHoverRadius: 3,
      pointHoverBackgroundColor: ink,
      tension: 0,
      spanGaps: false,
    };
  }

  /** @returns {import('chart.js').ChartConfiguration<'line', Line>} */
  settings() {
    const muted = this.ink('--muted');
    const line = this.ink('--line');
    const font = { family: getComputedStyle(this).fontFamily, size: 11 };
    return {
      type: 'line',
      data: { datasets: this.series.map((series) => this.lineOf(series)) },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        parsing: false,
        normalized: true,
        interaction: { mode: 'index', intersect: false },
        layout: { padding: { right: 2 } },
        scales: {
          x: {
            type: 'linear',
            border: { display: false },
            grid: { display: false },
            afterBuildTicks: (scale) => {
              scale.ticks = marks(scale.min, scale.max, (ms) => this.timeLabel(ms));
            },
            ticks: {
              color: muted,
              font,
              maxRotation: 0,
              autoSkipPadding: 16,
              callback: (value) => this.timeLabel(Number(value)),
            },
          },
          y: {
            beginAtZero: true,
            grace: '8%',
            border: { display: false },
            grid: { color: line, drawTicks: false },
            afterBuildTicks: (scale) => {
              scale.ticks = distinct(scale.ticks, (value) => this.numberLabel(value));
            },
            ticks: {
              color: muted,
              font,
              padding: 8,
              maxTicksLimit: GRID_LINES,
              callback: (value) => this.numberLabel(Number(value)),
            },
          },
        },
        plugins: { legend: { display: false }, tooltip: this.tooltip(font) },
      },
    };
  }

  /** @param {number} value */
  numberLabel(value) {
    return this.format(value).replace(/\.0$/, '');
  }

  /** @param {number} ms */
  timeLabel(ms) {
    return axisMoment(ms, this.to - this.from);
  }

  /**
   * @param {{ family: string, size: number }} font
   * @returns {NonNullable<import('chart.js').ChartOptions<'line'>['plugins']>['tooltip']}
   */
  tooltip(font) {
    return {
      backgroundColor: this.ink('--raised'),
      titleColor: this.ink('--muted'),
      bodyColor: this.ink('--text'),
      borderColor: this.ink('--line-strong'),
      borderWidth: 1,
      padding: 10,
      boxWidth: 10,
      boxHeight: 2,
      titleFont: { ...font, weight: 'normal' },
      bodyFont: { ...font, size: 12 },
      callbacks: {
        title: (items) => (items.length ? fullMoment(items[0].parsed.x).replace(/ \(.*/, '') : ''),
        label: (item) => ` ${item.dataset.label}  ${this.format(item.parsed.y)}`,
        labelColor: (item) => {
          const ink = String(item.dataset.borderColor);
          return { borderColor: ink, backgroundColor: ink };
        },
      },
    };
  }
}

customElements.define('hf-chart', LineChart);
