// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  try {
    const theme = localStorage.getItem('holdfast.theme');
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage is forbidden: the system's theme it is.
  }
})();
