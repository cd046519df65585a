/** Light, dark, or as the system has it; remembered in this browser. */

const KEY = 'holdfast.theme';
const THEMES = ['auto', 'light', 'dark'];

/** Dispatches change when the colours have changed. */
export const themeChanged = new EventTarget();

const tell = () => themeChanged.dispatchEvent(new Event('change'));

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);

export function theme() {
  return document.documentElement.dataset.theme ?? 'auto';
}

/** The one that the switch goes to next. */
export function nextTheme() {
  return THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
}

/** @param {string} name */
export function setTheme(name) {
  const root = document.documentElement;
  if (name === 'auto') {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = name;
  }
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Storage is forbidden: it holds until the page is loaded again.
  }
  tell();
}
