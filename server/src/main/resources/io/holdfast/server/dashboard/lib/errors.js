/** The errors of dead letters, as the server tells them apart: with # where numbers and ids were. */

/**
 * A text that all errors of a kind have in them, for a filter: the longest stretch without numbers.
 *
 * The server joins blanks and line ends into one blank; what is not in the sample as it stands is of no use.
 */
export function commonText({ error, sample }) {
  const stretches = String(error)
    .split('#')
    .map((stretch) => stretch.trim())
    .filter((stretch) => stretch !== '' && String(sample).includes(stretch));
  const words = String(error)
    .split(/[#\s]+/)
    .filter((word) => word !== '' && String(sample).includes(word));
  const longest = (all) => all.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest(stretches) || longest(words);
}
