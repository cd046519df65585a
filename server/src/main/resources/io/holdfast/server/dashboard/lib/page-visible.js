/** Whether the page is visible; nothing is requested while it is not. */

export const isVisible = () => document.visibilityState !== 'hidden';

/**
 * Calls back when that changes; returns what ends it.
 *
 * @param {(visible: boolean) => void} callback
 */
export function onVisible(callback) {
  const listener = () => callback(isVisible());
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
