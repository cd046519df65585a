/** Requests to the server; its errors become an ApiError. */
import { encoded } from './route.js';
import { parseKeeping } from './rawjson.js';

const ROOT = '/api/v1';
const ANSWER_MS = 60_000;

/** An answer that is not the wanted one: its message is the server's sentence. */
export class ApiError extends Error {
  /** @param {string} message @param {{ status?: number, code?: string, field?: string }} [details] */
  constructor(message, { status = 0, code = '', field = '' } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** @param {unknown} error */
export const isNotFound = (error) => error instanceof ApiError && error.status === 404;

/** Dispatches needed when the server requires a token. */
export const signInNeeded = new EventTarget();

/**
 * The address of a route, to show. Each part is encoded, so a name can hold anything.
 *
 * @param {string[]} path
 */
export function routeOf(path, query = {}) {
  const params = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return `${ROOT}/${path.map(encoded).join('/')}${params.length ? `?${params.join('&')}` : ''}`;
}

/**
 * The address of a route, to ask it.
 *
 * Browsers take the parts . and .. as steps in the path, also when they are encoded.
 *
 * @param {string[]} path
 * @param {Hf.Query} [query]
 */
export function address(path, query) {
  const odd = path.find((part) => part === '.' || part === '..' || part === '');
  if (odd !== undefined) {
    throw new ApiError(`a browser cannot ask for something named "${odd}": use the command line or another client`);
  }
  return routeOf(path, query);
}

/** @param {Response} response */
async function refusal(response) {
  const text = await response.text();
  /** @type {Record<string, any>} */
  let body = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not one of our answers, such as a proxy's page.
  }
  const reason = body.error ?? body.message ?? `the server answered ${response.status} ${response.statusText}`;
  return new ApiError(String(reason), {
    status: response.status,
    code: body.code ?? '',
    field: body.field ?? '',
  });
}

/**
 * @param {string} method
 * @param {string[]} path
 * @param {Hf.Options} [options]
 * @returns {Promise<any>}
 */
async function ask(method, path, { query, body, signal, keep = false } = {}) {
  const limit = AbortSignal.timeout(ANSWER_MS);
  let response;
  try {
    response = await fetch(address(path, query), {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      credentials: 'same-origin',
      redirect: 'error',
    });
  } catch (error) {
    throw unreachable(error, limit);
  }
  if (response.status === 401) {
    signInNeeded.dispatchEvent(new Event('needed'));
  }
  if (!response.ok) {
    throw await refusal(response);
  }
  const text = await response.text();
  if (text === '') {
    return null;
  }
  return keep ? parseKeeping(text) : JSON.parse(text);
}

/** @param {unknown} error @param {AbortSignal} limit */
function unreachable(error, limit) {
  if (error instanceof ApiError) {
    return error;
  }
  if (limit.aborted) {
    return new ApiError(`the server did not answer within ${ANSWER_MS / 1000} seconds`);
  }
  return error instanceof Error && error.name === 'AbortError' ? error : new ApiError('the server cannot be reached');
}

/**
 * Asks for something. The path is a list of parts.
 *
 * Options: query, signal, and keep for answers whose payloads are to stay text.
 */
export const get = (/** @type {string[]} */ path, /** @type {Hf.Options} */ options = {}) => ask('GET', path, options);

/**
 * Changes something.
 *
 * @param {string[]} path
 * @param {unknown} [body] an object, or JSON text that is sent as it is
 * @param {Hf.Options} [options]
 */
export const post = (path, body, options) => ask('POST', path, { ...options, body });

/**
 * An object as JSON text, with a member whose value is JSON text already. Parsing that would round large numbers.
 *
 * @param {Record<string, unknown>} object
 * @param {string} name
 * @param {string} json
 */
export function spliced(object, name, json) {
  const members = Object.keys(object).length === 0 ? '{' : `${JSON.stringify(object).slice(0, -1)},`;
  return `${members}${JSON.stringify(name)}:${json}}`;
}

/** @param {string[]} path @param {Hf.Options} [options] */
export const remove = (path, options) => ask('DELETE', path, options);

/**
 * An error as a sentence with its full stop.
 *
 * @param {unknown} error
 */
export function sentence(error) {
  const text = (error instanceof Error && error.message) || String(error);
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
