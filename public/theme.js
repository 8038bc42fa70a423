/* Runs before the first paint, so that a dark page never starts white. src/theme.ts takes over from here. */
;(function () {
  var theme = 'system'
  try {
    theme = JSON.parse(localStorage.getItem('preferences') || '{}').theme || theme
  } catch (blocked) {
    void blocked
  }
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
