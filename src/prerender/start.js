/*
 * Runs before the first paint, without waiting for anything: sets the theme, so that a dark page never starts white,
 * sets the language of the prerendered text, and preloads the files that this visit needs next. The build inserts the
 * argument. src/theme.ts and src/i18n.ts take over from here.
 */
;(function (known) {
  var root = document.documentElement
  function stored(key) {
    try {
      return localStorage.getItem(key) || ''
    } catch {
      return ''
    }
  }
  function field(key, name) {
    try {
      return JSON.parse(stored(key))[name]
    } catch {
      return undefined
    }
  }
  var theme = field('preferences', 'theme')
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark ? 'dark' : 'light'

  var language = stored('language')
  if (!known.packs[language]) language = root.lang
  root.lang = language

  var member = Boolean(field('session', 'token'))
  var path = '/' + location.hash.replace(/^#?\/?/, '').split('?')[0]
  var welcome = known.welcome.indexOf(path) >= 0
  if (welcome && member) path = known.home
  var files = known.entry.concat(known.pages[path] || [], known.packs[language] || [])

  /*
   * The page contains the landing page, in the default language, until the app replaces it. The app's code is only
   * loaded after it is painted, so that it does not compete for the connection.
   */
  if (!welcome || member) root.dataset.away = ''
  else if (known.words[language]) translate(known.words[language])
  if (!welcome || member || document.hidden) startApp()
  else
    requestAnimationFrame(function () {
      setTimeout(startApp)
    })

  function startApp() {
    if (known.entry.length === 0) return
    for (var i = 0; i < files.length; i++) {
      var link = document.createElement('link')
      link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = files[i]
      document.head.append(link)
    }
    void import(known.entry[0])
  }

  /*
   * The body is not parsed yet: its texts are replaced as they are parsed, before they are painted. The newest one may
   * be incomplete.
   */
  function translate(words) {
    var done = 0
    var observer = new MutationObserver(change)
    observer.observe(root, { childList: true, subtree: true })
    function change() {
      var prerendered = document.querySelector('[data-first-paint]')
      if (!prerendered) return
      var walker = document.createTreeWalker(prerendered, NodeFilter.SHOW_TEXT)
      var nodes = []
      for (var node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node)
      var complete = nodes.length - (prerendered.parentNode.nextSibling ? 0 : 1)
      for (; done < complete; done++) nodes[done].data = words[done]
      if (done >= words.length) observer.disconnect()
    }
  }
})({ entry: [], welcome: [], home: '', packs: {}, pages: {}, words: {} })
