import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import i18next from 'i18next'
import { pageDelayMs } from '../contract/constants.ts'
import { App } from './App.tsx'
import { delay } from './delay.ts'
import { currentLanguage, startI18n } from './i18n.ts'
import { redirectOf } from './redirect.ts'
import { loadedAhead, startLoadingAhead } from './router/ahead.ts'
import { navigate, parseHash } from './router/hashLocation.ts'
import { startScrollRestoration } from './router/scrollRestoration.ts'
import { isTabRoot } from './paths.ts'
import { routeOf } from './routes.ts'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { reportFailure } from './lazy/reportFailure.ts'
import { StartFailure } from './shell/StartFailure.tsx'
import { persistPreferences } from './state/preferences.ts'
import { persistSession, session } from './state/session.ts'
import { lazyStreams } from './lazyStreams.ts'
import { watchPages } from './report/pages.ts'
import { followTheme } from './theme.ts'
import './theme.css'

/** Resolves if the visitor opens another page before the first one has loaded. */
const nextNavigation = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))

/** The values of `data-start` for which the page's own frame is prerendered. */
const frames: ReadonlySet<string | undefined> = new Set(['home', 'product'])
/** After this long, ms, the app replaces a frame by what it can show itself. */
const frameMaxMs = 5000

/** Loads the page of the address and its first data; resolves if that failed, too. */
async function loadFirstPage(): Promise<void> {
  const redirect = redirectOf(parseHash(location.hash), session.token !== null)
  if (redirect !== undefined) navigate(redirect, { replace: true })
  const { hash } = location
  const { ok } = await routeOf(parseHash(hash).path).page.get()
  if (ok) await loadedAhead(hash, 'start')
}

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('the page has no #root')
  const root = createRoot(container)
  persistSession()
  persistPreferences()
  startScrollRestoration(isTabRoot)
  startLoadingAhead()
  watchPages()
  const followLanguage = followTheme(currentLanguage)
  void lazyStreams.get()
  const firstPageOrNext = Promise.race([loadFirstPage(), nextNavigation()])
  try {
    await startI18n()
  } catch {
    reportFailure('other', 'locales')
    root.render(<StartFailure />)
    return
  }
  i18next.on('languageChanged', followLanguage)
  // The prerendered landing page stays until the app can replace it, and so does a frame, for some seconds. Another page gets
  // a moment, so that it is rendered once; after that the app is rendered without it.
  const prerendered = document.documentElement.dataset['start']
  const isFrame = frames.has(prerendered)
  const isLanding = prerendered === 'landing'
  await (isLanding
    ? firstPageOrNext
    : Promise.race([firstPageOrNext, delay(isFrame ? frameMaxMs : pageDelayMs)]))
  const app = (
    <StrictMode>
      <ErrorBoundary Fallback={StartFailure} onError={() => reportFailure('other', 'app')}>
        <App />
      </ErrorBoundary>
    </StrictMode>
  )
  // In slices, so that the page can be scrolled meanwhile. A page that may have to wait for the streams is rendered at once:
  // if they arrived between two slices, React would have to start again.
  if (isLanding || isFrame) startTransition(() => root.render(app))
  else root.render(app)
  if (import.meta.env.PROD) void installWorker()
}

/** Without it the app works the same, but only online; the next visit tries again. */
async function installWorker(): Promise<void> {
  try {
    const { startWorker } = await import('./pwa/register.ts')
    await startWorker()
  } catch {
    reportFailure('other', 'worker')
  }
}

void start()
