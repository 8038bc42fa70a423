import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { escapeHtml } from './escapeHtml.ts'
import { readerLanguage } from './requestLanguage.ts'
import { pageTexts, type PageKind } from './statusPageText.ts'

/** A page with its headers. It is self-contained, because the client's files may not be available yet. */
export type StatusPage = { headers: Record<string, string>; html: string }

/** Paths for programs; a browser gets JSON there as well. */
const apiPaths = /^\/(api|desk|log|socket\.io|healthz|metrics)(\/|\?|$)/

/** Whether a request is for a page: a browser opens a URL that is not meant for programs. */
export function wantsPage(method: string | undefined, url: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return (headers.accept ?? '').includes('text/html') && !apiPaths.test(url)
}

/** The hash route for a page path without the `#`; undefined for any other path. */
export const hashRouteOf = (url: string): string | undefined =>
  /^\/pages\/[\w-]+\/[\w-]+(\?[^#]*)?$/.test(url) ? `/#${url}` : undefined

/**
 * The venue's own page for 503 and 404, in the language of its reader. `starting` reloads itself once the venue answers.
 */
export function renderStatusPage(kind: PageKind, headers: IncomingHttpHeaders): StatusPage {
  const language = readerLanguage(headers)
  const { title, text, action } = pageTexts[kind][language]
  const html = `<!doctype html>
<html lang="${language}" data-kind="${kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
${kind === 'starting' ? '<noscript><meta http-equiv="refresh" content="5"></noscript>' : ''}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<svg width="40" height="40" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M3 18h7.5V6H21"/></svg>
<h1>${escapeHtml(title)}</h1>
<p role="status">${escapeHtml(text)}</p>
<a href="${kind === 'starting' ? '' : '/'}">${escapeHtml(action)}</a>
</main>
<script>${script}</script>
</body>
</html>
`
  return { headers: pageHeaders, html }
}

const style = `
:root{--ground:#fff;--text:#10131a;--text2:#4b5263;--accent:#4a42e0}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#0c0e13;--text:#f2f4f8;--text2:#b6bdca;--accent:#5b54ea}}
:root[data-theme=dark]{--ground:#0c0e13;--text:#f2f4f8;--text2:#b6bdca;--accent:#5b54ea}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{box-sizing:border-box;max-width:480px;min-height:100vh;margin:0 auto;padding:24px 16px;display:flex;flex-direction:column;justify-content:center}
h1{margin:24px 0 8px;font-size:24px;line-height:1.3}
p{margin:0 0 24px;color:var(--text2)}
a{align-self:start;display:inline-flex;align-items:center;min-height:48px;padding:0 24px;border-radius:10px;background:var(--accent);color:#fff;font-weight:600;text-decoration:none}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`

/** Has to run in any browser that can show the page, so it is written in ES5. */
const script = `
(function () {
  var root = document.documentElement
  try { var theme = JSON.parse(localStorage.getItem('preferences')).theme } catch (error) {}
  if (theme === 'dark' || theme === 'light') root.setAttribute('data-theme', theme)
  if (root.getAttribute('data-kind') !== 'starting') return
  document.querySelector('a').addEventListener('click', function (event) {
    event.preventDefault()
    location.reload()
  })
  function check() {
    fetch('/healthz', { cache: 'no-store' }).then(function (answer) {
      if (answer.ok) location.reload()
      else setTimeout(check, 1000)
    }, function () { setTimeout(check, 1000) })
  }
  setTimeout(check, 1000)
})()
`

const hashOf = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

const pageHeaders: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: 'Accept, Cookie, Accept-Language',
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
}
