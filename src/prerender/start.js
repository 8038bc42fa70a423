/*
 * Runs before the first paint, without waiting for anything: the theme, so that a dark page never starts white; the
 * language of the words that stand in the page; and the files that this very visit needs next. The build puts in what
 * it knows. src/theme.ts and src/i18n.ts take over from here.
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
   * The page holds the front door, in the default language, until the app takes its place. It is there to be read: the
   * app's code takes nothing of the line before it stands on the screen.
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
   * The body is still to be read: its words are changed as they come, before any frame shows them. The newest one may
   * be read in part only.
   */
  function translate(words) {
    var done = 0
    var watching = new MutationObserver(change)
    watching.observe(root, { childList: true, subtree: true })
    function change() {
      var shown = document.querySelector('[data-first-paint]')
      if (!shown) return
      var walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
      var nodes = []
      for (var node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node)
      var whole = nodes.length - (shown.parentNode.nextSibling ? 0 : 1)
      for (; done < whole; done++) nodes[done].data = words[done]
      if (done >= words.length) watching.disconnect()
    }
  }
})({ entry: [], welcome: [], home: '', packs: {}, pages: {}, words: {} })
