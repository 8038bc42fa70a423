import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import i18next from 'i18next'
import { pageDelayMs } from '../contract/constants.ts'
import { App } from './App.tsx'
import { delay } from './lib/delay.ts'
import { currentLanguage, startI18n } from './text/i18n.ts'
import { redirectOf } from './router/redirect.ts'
import { loadedAhead, startLoadingAhead } from './start/ahead.ts'
import { navigate, parseHash } from './router/hashLocation.ts'
import { startScrollRestoration } from './router/scrollRestoration.ts'
import { isTabRoot } from './paths.ts'
import { followLateValues } from './ui/lateValues.ts'
import { routeOf } from './routes.ts'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { reportFailure } from './start/reportFailure.ts'
import { StartFailure } from './start/StartFailure.tsx'
import { persistPreferences } from './state/preferences.ts'
import { persistSession, session, watchMemberChange } from './state/session.ts'
import { emptyTicket, persistTicket } from './state/ticket.ts'
import { lazyStreams } from './start/lazyStreams.ts'
import { watchPages } from './report/pages.ts'
import { followTheme } from './state/theme.ts'
import './ui/theme.css'

/** Resolves if the visitor opens another page before the first one has loaded. */
const nextNavigation = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))

/** The values of `data-start` for which the page's own skeleton is prerendered. */
const skeletons: ReadonlySet<string | undefined> = new Set(['home', 'product'])
/** After this long, ms, the app replaces a skeleton by what it can show itself. */
const skeletonMaxMs = 5000

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
  persistTicket()
  startScrollRestoration(isTabRoot)
  startLoadingAhead()
  watchPages()
  followLateValues()
  watchMemberChange(emptyTicket)
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
  // The prerendered landing page stays until the app can replace it, and so does a skeleton, for some seconds. Another page gets
  // a moment, so that it is rendered once; after that the app is rendered without it.
  const prerendered = document.documentElement.dataset['start']
  const isSkeleton = skeletons.has(prerendered)
  const isLanding = prerendered === 'landing'
  await (isLanding
    ? firstPageOrNext
    : Promise.race([firstPageOrNext, delay(isSkeleton ? skeletonMaxMs : pageDelayMs)]))
  const app = (
    <StrictMode>
      <ErrorBoundary Fallback={StartFailure} onError={() => reportFailure('other', 'app')}>
        <App />
      </ErrorBoundary>
    </StrictMode>
  )
  // In slices, so that the page can be scrolled meanwhile. A page that may have to wait for the streams is rendered at once:
  // if they arrived between two slices, React would have to start again.
  if (isLanding || isSkeleton) startTransition(() => root.render(app))
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
