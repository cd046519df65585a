/** Whether somebody can see the page; nothing is asked for while nobody can. */

export const isVisible = () => document.visibilityState !== 'hidden';

/** Calls back when that changes; returns what ends it. */
export function onVisible(callback) {
  const listener = () => callback(isVisible());
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
