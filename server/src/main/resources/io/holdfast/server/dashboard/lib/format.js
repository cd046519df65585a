/** Numbers, sizes and times as people read them. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const FINE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const NONE = '–';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * @param {unknown} value
 * @returns {value is null | undefined}
 */
const isMissing = (value) => value === null || value === undefined || Number.isNaN(value);

/**
 * A count: 12,345.
 *
 * @param {number | null | undefined} value
 */
export function count(value) {
  return isMissing(value) ? NONE : WHOLE.format(value);
}

/**
 * A count where room is short: 12,345, then 1.23 M.
 *
 * @param {number | null | undefined} value
 */
export function short(value) {
  if (isMissing(value)) {
    return NONE;
  }
  const size = Math.abs(value);
  if (size < 1e6) {
    return WHOLE.format(value);
  }
  return size < 1e9 ? `${FINE.format(value / 1e6)} M` : `${FINE.format(value / 1e9)} G`;
}

/**
 * So many per second: one place below ten, none above.
 *
 * @param {number | null | undefined} value
 */
export function rate(value) {
  if (isMissing(value)) {
    return NONE;
  }
  if (value === 0) {
    return '0';
  }
  if (value < 0.05) {
    return '<0.1';
  }
  return value < 10 ? TENTHS.format(value) : WHOLE.format(value);
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/**
 * A size: 1.4 MiB.
 *
 * @param {number | null | undefined} value
 */
export function bytes(value) {
  if (isMissing(value)) {
    return NONE;
  }
  let left = value;
  let unit = 0;
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${unit === 0 || left >= 100 ? WHOLE.format(left) : TENTHS.format(left)} ${UNITS[unit]}`;
}

/**
 * A length of time in its two largest units: 3 min 20 s.
 *
 * @param {number | null | undefined} ms
 * @returns {string}
 */
export function duration(ms) {
  if (isMissing(ms)) {
    return NONE;
  }
  if (ms < 0) {
    return `-${duration(-ms)}`;
  }
  if (ms < 1) {
    return ms === 0 ? '0 s' : `${FINE.format(ms)} ms`;
  }
  if (ms < SECOND) {
    return `${WHOLE.format(ms)} ms`;
  }
  if (ms < 10 * SECOND) {
    return `${TENTHS.format(ms / SECOND)} s`;
  }
  if (ms < MINUTE) {
    return `${Math.floor(ms / SECOND)} s`;
  }
  if (ms < HOUR) {
    return two(ms, MINUTE, 'min', SECOND, 's');
  }
  return ms < DAY ? two(ms, HOUR, 'h', MINUTE, 'min') : two(ms, DAY, 'd', HOUR, 'h');
}

/**
 * @param {number} ms
 * @param {number} large
 * @param {string} largeName
 * @param {number} small
 * @param {string} smallName
 */
function two(ms, large, largeName, small, smallName) {
  const whole = Math.floor(ms / large);
  const rest = Math.floor((ms % large) / small);
  return rest === 0 || whole >= 100
    ? `${WHOLE.format(whole)} ${largeName}`
    : `${whole} ${largeName} ${rest} ${smallName}`;
}

/**
 * Milliseconds of a time that came as such or as text; null for none.
 *
 * @param {Hf.MaybeTime} time
 */
export function millis(time) {
  if (isMissing(time) || time === '') {
    return null;
  }
  const ms = typeof time === 'number' ? time : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * The time from one moment to another, in milliseconds; null if one is missing.
 *
 * @param {Hf.MaybeTime} from
 * @param {Hf.MaybeTime} to
 */
export function between(from, to) {
  const begin = millis(from);
  const end = millis(to);
  return begin === null || end === null ? null : end - begin;
}

/**
 * How long ago, or in how long: 3 min ago, in 20 s.
 *
 * @param {Hf.MaybeTime} time
 */
export function ago(time, now = Date.now()) {
  const ms = millis(time);
  if (ms === null) {
    return NONE;
  }
  const past = now - ms;
  if (Math.abs(past) < SECOND) {
    return 'now';
  }
  return past > 0 ? `${roughly(past)} ago` : `in ${roughly(-past)}`;
}

/**
 * One unit is enough for what is long past.
 *
 * @param {number} ms
 */
function roughly(ms) {
  if (ms < MINUTE) {
    return `${Math.floor(ms / SECOND)} s`;
  }
  if (ms < HOUR) {
    return `${Math.floor(ms / MINUTE)} min`;
  }
  return ms < DAY ? two(ms, HOUR, 'h', MINUTE, 'min') : two(ms, DAY, 'd', HOUR, 'h');
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const CLOCK_SHORT = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const CLOCK_FINE = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DATE_LONG = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** @param {number} ms */
const isToday = (ms) => new Date(ms).toDateString() === new Date().toDateString();

/**
 * A moment: 14:03:22 today, 3 Aug 14:03 before.
 *
 * @param {Hf.MaybeTime} time
 */
export function moment(time) {
  const ms = millis(time);
  if (ms === null) {
    return NONE;
  }
  if (isToday(ms)) {
    return CLOCK.format(ms);
  }
  const sameYear = new Date(ms).getFullYear() === new Date().getFullYear();
  return `${(sameYear ? DATE : DATE_LONG).format(ms)} ${CLOCK_SHORT.format(ms)}`;
}

/**
 * A moment to the millisecond: 14:03:22.512 today.
 *
 * @param {Hf.MaybeTime} time
 */
export function fineMoment(time) {
  const ms = millis(time);
  if (ms === null) {
    return NONE;
  }
  return isToday(ms) ? CLOCK_FINE.format(ms) : `${DATE.format(ms)} ${CLOCK_FINE.format(ms)}`;
}

/**
 * A moment in full, for titles: local, and UTC.
 *
 * @param {Hf.MaybeTime} time
 */
export function fullMoment(time) {
  const ms = millis(time);
  return ms === null ? '' : `${DATE_LONG.format(ms)} ${CLOCK.format(ms)} (${new Date(ms).toISOString()})`;
}

/**
 * The time of a mark on an axis.
 *
 * @param {number} ms
 * @param {number} spanMs
 */
export function axisMoment(ms, spanMs) {
  const at = new Date(ms);
  if (spanMs > 2 * DAY || (at.getHours() === 0 && at.getMinutes() === 0 && spanMs > 2 * HOUR)) {
    return DATE.format(at);
  }
  return spanMs > 5 * MINUTE ? CLOCK_SHORT.format(at) : CLOCK.format(at);
}

/** How many wait to be delivered, for the first time or again. @param {Hf.Counts} counts */
export function waits(counts) {
  return counts.waiting + counts.returned;
}

/**
 * one message, 5 messages.
 *
 * @param {number} number
 * @param {string} one
 */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/**
 * A moment of a field of type datetime-local, as the server takes it; undefined if it is none.
 *
 * @param {string | undefined} text
 */
export function fromInput(text) {
  const ms = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/**
 * A moment as a field of type datetime-local wants it.
 *
 * @param {number} ms
 */
export function localInput(ms) {
  const at = new Date(ms);
  const pad = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

const ISO = /P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?/;

/**
 * A length of time as Java writes it, PT24H, in our words; other text stays as it is.
 *
 * @param {string} text
 */
export function isoDuration(text) {
  return String(text).replace(/\bP(?:T?\d[\dDHMST.]*)/g, (found) => {
    const [, days = 0, hours = 0, minutes = 0, seconds = 0] = (ISO.exec(found) ?? []).map((part) => Number(part ?? 0));
    return duration(days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND);
  });
}
