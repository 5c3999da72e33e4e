// Runs before the first paint, so that a dark room never sees a white flash. Mirrors app/theme.ts.
(function () {
  let choice = null;
  try {
    choice = localStorage.getItem('hearth.theme');
  } catch {
    // Storage can be forbidden; then the system decides.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
