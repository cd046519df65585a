/** Whether a text that somebody typed is JSON. */

/** What is wrong with it, or an empty text. */
export function checkJson(text) {
  if (text.trim() === '') {
    return 'Expected JSON, but there is nothing.';
  }
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON: ${error.message}.`;
  }
}
