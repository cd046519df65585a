/** Text from outside, made safe to look at: what cannot be seen is shown, and nothing can turn its direction. */
import { html } from 'lit';

/** Controls, marks that turn the direction of text, and what takes no room. */
const HIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0e]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

const SHORT = new Map([
  ['\n', '⏎'],
  ['\r', '␍'],
  ['\t', '⇥'],
  ['\u0000', '␀'],
]);

/**
 * Joiners belong to emoji and to several scripts; between plain letters they only hide.
 *
 * @param {string} char
 * @param {string} text
 * @param {number} at
 */
function isJoinerInPlace(char, text, at) {
  return (
    (char === '\u200d' || char === '\u200c') &&
    at > 0 &&
    text.charCodeAt(at - 1) > 0x7f &&
    text.charCodeAt(at + 1) > 0x7f
  );
}

/** @param {string} char */
function mark(char) {
  return SHORT.get(char) ?? `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * The text with what is hidden written out, for titles and labels.
 *
 * @param {unknown} text
 */
export function shown(text) {
  const all = String(text);
  return all.replace(HIDDEN, (char, at) => (isJoinerInPlace(char, all, at) ? char : mark(char)));
}

/**
 * Like shown, but lines and tabs stay: for blocks of text.
 *
 * @param {unknown} text
 */
export function shownBlock(text) {
  const all = String(text);
  return all.replace(HIDDEN, (char, at) =>
    char === '\n' || char === '\t' || isJoinerInPlace(char, all, at) ? char : mark(char),
  );
}

/**
 * The text in pieces: plain ones, and marks for what is hidden.
 *
 * @param {unknown} text
 */
export function pieces(text) {
  const all = String(text);
  /** @type {unknown[]} */
  const parts = [];
  let from = 0;
  for (const found of all.matchAll(HIDDEN)) {
    const [char] = found;
    if (isJoinerInPlace(char, all, found.index)) {
      continue;
    }
    if (found.index > from) {
      parts.push(all.slice(from, found.index));
    }
    parts.push(html`<span class="hidden-char">${mark(char)}</span>`);
    from = found.index + char.length;
  }
  if (from === 0) {
    return all;
  }
  parts.push(all.slice(from));
  return parts;
}

/**
 * Cuts by characters, never inside one.
 *
 * @param {unknown} text
 * @param {number} max
 */
export function cut(text, max) {
  const all = String(text);
  if (all.length <= max) {
    return all;
  }
  const end = all.charCodeAt(max - 1) >= 0xd800 && all.charCodeAt(max - 1) <= 0xdbff ? max - 1 : max;
  return `${all.slice(0, end)}…`;
}
