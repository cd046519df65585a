/** Where the user is, kept after the # of the address: #/queues/orders?tab=messages. */

/**
 * A part of an address; what is not a character at all becomes the sign for that.
 *
 * @param {unknown} text
 */
export function encoded(text) {
  return encodeURIComponent(String(text).toWellFormed());
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The place that a hash names: its parts, and its parameters.
 *
 * @param {string} hash
 */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  return {
    parts: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/**
 * The address of a place; parameters that are empty are left out.
 *
 * @param {unknown[]} parts
 * @param {Hf.Query} [query]
 */
export function link(parts, query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const params = kept.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return `#/${parts.map(encoded).join('/')}${params ? `?${params}` : ''}`;
}

/**
 * Goes to a place; replacing leaves no step to go back to.
 *
 * @param {unknown[]} parts
 * @param {Hf.Query} [query]
 * @param {{ replace?: boolean }} [options]
 */
export function go(parts, query = {}, { replace = false } = {}) {
  const to = link(parts, query);
  if (replace) {
    history.replaceState(null, '', to);
    dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = to;
  }
}

/** @param {string} queue @param {Hf.Query} [query] */
export const toQueue = (queue, query) => link(['queues', queue], query);
/** @param {string} id */
export const toMessage = (id) => link(['messages', id]);
/** @param {string} queue @param {string} group */
export const toGroups = (queue, group) => link(['groups'], { queue, group });
/** @param {Hf.Query} query */
export const toDead = (query) => link(['dead'], query);
/** @param {string} id */
export const toTask = (id) => link(['tasks', id]);
/** @param {string} key */
export const toRecord = (key) => link(['records', key]);
/** @param {string} journal */
export const toJournal = (journal) => link(['journals', journal]);
/** @param {string} name */
export const toTraces = (name) => link(['traces', name]);
/** @param {string} id */
export const toFlow = (id) => link(['flows', id]);
