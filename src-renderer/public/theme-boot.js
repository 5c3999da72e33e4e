// Runs before the first paint, so that the dark theme never flashes white. Keep in sync with client/theme.ts.
(function () {
  let choice = null;
  try {
    choice = localStorage.getItem('hearth.theme');
  } catch {
    // If storage is blocked, the system setting decides.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
