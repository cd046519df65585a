/** Checks whether a typed text is JSON. */

/**
 * The error, or an empty text.
 *
 * @param {string} text
 */
export function checkJson(text) {
  if (text.trim() === '') {
    return 'Expected JSON, but the field is empty.';
  }
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : error}.`;
  }
}
