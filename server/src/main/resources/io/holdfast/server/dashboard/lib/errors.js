/** The errors of dead letters, as the server groups them: with # in place of numbers and ids. */

/**
 * A text that all errors of a kind contain, for a filter: the longest stretch without numbers.
 *
 * The server joins blanks and line ends into one blank; what is not in the sample as it stands is of no use.
 *
 * @param {{ error: string, sample: string }} kind
 */
export function commonText({ error, sample }) {
  const stretches = String(error)
    .split('#')
    .map((stretch) => stretch.trim())
    .filter((stretch) => stretch !== '' && String(sample).includes(stretch));
  const words = String(error)
    .split(/[#\s]+/)
    .filter((word) => word !== '' && String(sample).includes(word));
  const longest = (/** @type {string[]} */ all) => all.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest(stretches) || longest(words);
}
