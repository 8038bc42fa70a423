/*
 * Sends a browser that is older than those of scripts/oldestBrowsers.ts to a page that says so. It has to run in any
 * browser, so it is ES5: what it asks for came last with each of the oldest versions.
 */
;(function () {
  var supports = window.CSS && window.CSS.supports
  var isNew = supports && supports.call(window.CSS, 'container-type', 'inline-size')
  if (isNew && supports.call(window.CSS, 'height', '100dvh') && Object.hasOwn) return
  var language = navigator.language || ''
  try {
    language = localStorage.getItem('language') || language
    // oxlint-disable-next-line no-unused-vars -- ES5 has no catch without a name
  } catch (error) {
    // Blocked: the browser's own language.
  }
  var isTraditional = /^zh.*(tw|hk|mo|hant)/i.test(language)
  var section = /^zh/i.test(language) ? (isTraditional ? 'zh-TW' : 'zh-CN') : language.slice(0, 2)
  location.replace('/oldBrowser.html#' + section)
})()
