/** JSON whose payloads stay text: parsing one would round its numbers, and a table only shows its beginning. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The names under which payloads come. */
const KEPT = new Set(['"data"', '"payload"', '"output"', '"value"', '"input"']);

/**
 * Parses an answer, with each member that is a payload as the text it was; absent and null stay null.
 * The inside of a payload is not parsed.
 *
 * @param {string} text
 */
export function parseKeeping(text) {
  let out = '';
  let copied = 0;
  let previous = '';
  let key = '';
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [token] = found;
    if (previous === ':' && KEPT.has(key)) {
      const end = endOfValue(text, found.index);
      const value = text.slice(found.index, end);
      out += text.slice(copied, found.index) + (value === 'null' ? 'null' : JSON.stringify(value));
      copied = end;
      TOKEN.lastIndex = end;
      previous = 'value';
      continue;
    }
    if (token === ':') {
      key = previous;
    }
    previous = token;
  }
  return JSON.parse(copied === 0 ? text : out + text.slice(copied));
}

/**
 * Where the value that begins here ends.
 *
 * @param {string} text
 * @param {number} begin
 */
function endOfValue(text, begin) {
  const token = new RegExp(TOKEN.source, 'g');
  token.lastIndex = begin;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '{' || found[0] === '[') {
      depth++;
    } else if (found[0] === '}' || found[0] === ']') {
      depth--;
    }
    if (depth === 0) {
      return token.lastIndex;
    }
  }
  return text.length;
}

/** @type {[RegExp, string][]} */
const KINDS = [
  [/^"/, 'text'],
  [/^-?\d/, 'number'],
  [/^(true|false|null)$/, 'word'],
];

/**
 * The tokens of JSON text laid out over lines, each with its kind; null if there are more than so many.
 * Numbers and texts are as they were sent.
 *
 * @param {string} text
 * @param {number} mostTokens
 */
export function layOut(text, mostTokens) {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.length > mostTokens) {
    return null;
  }
  /** @type {{ kind: string, text: string }[]} */
  const out = [];
  let depth = 0;
  const line = () => out.push({ kind: 'mark', text: `\n${'  '.repeat(depth)}` });
  tokens.forEach((/** @type {string} */ token, at) => {
    const next = tokens[at + 1];
    if (token === '{' || token === '[') {
      out.push({ kind: 'mark', text: token });
      const isEmpty = next === '}' || next === ']';
      depth++;
      if (!isEmpty) {
        line();
      }
    } else if (token === '}' || token === ']') {
      depth--;
      if (tokens[at - 1] !== '{' && tokens[at - 1] !== '[') {
        line();
      }
      out.push({ kind: 'mark', text: token });
    } else if (token === ',') {
      out.push({ kind: 'mark', text: ',' });
      line();
    } else if (token === ':') {
      out.push({ kind: 'mark', text: ': ' });
    } else {
      const kind = next === ':' ? 'key' : (KINDS.find(([form]) => form.test(token))?.[1] ?? 'word');
      out.push({ kind, text: token });
    }
  });
  return out;
}
