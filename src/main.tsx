import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import i18next from 'i18next'
import { pageDelayMs, pageTimeoutMs } from '../contract/constants.ts'
import { App } from './App.tsx'
import { currentLanguage, startI18n } from './i18n.ts'
import { startLoadingAhead } from './router/ahead.ts'
import { parseHash } from './router/hashLocation.ts'
import { startScrollRestoration } from './router/scrollRestoration.ts'
import { isTabRoot } from './paths.ts'
import { routeOf } from './routes.ts'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { reportFailure } from './lazy/reportFailure.ts'
import { StartFailure } from './shell/StartFailure.tsx'
import { persistPreferences } from './state/preferences.ts'
import { persistSession } from './state/session.ts'
import { lazyStreams } from './lazyStreams.ts'
import { watchPages } from './report/pages.ts'
import { followTheme } from './theme.ts'
import './theme.css'

/** Resolves if the visitor opens another page before the first one has loaded. */
const nextNavigation = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))

const delay = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

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
  const { page } = routeOf(parseHash(location.hash).path)
  const pageLoaded = page.get()
  try {
    await startI18n()
  } catch {
    reportFailure('other', 'locales')
    root.render(<StartFailure />)
    return
  }
  i18next.on('languageChanged', followLanguage)
  // What is prerendered stays until the page can take its place. Others are rendered once instead of twice if they come
  // soon; if not, the tabs already work, and the spinner follows.
  const { start } = document.documentElement.dataset
  const isLanding = start === 'landing'
  const waitMs = start === 'product' ? pageTimeoutMs : pageDelayMs
  await Promise.race([pageLoaded, nextNavigation(), ...(isLanding ? [] : [delay(waitMs)])])
  const app = (
    <StrictMode>
      <ErrorBoundary Fallback={StartFailure} onError={() => reportFailure('other', 'app')}>
        <App />
      </ErrorBoundary>
    </StrictMode>
  )
  // In slices, so that the landing page can be scrolled meanwhile. A page that needs the streams is rendered at once: if
  // they arrived between two slices, React would have to start again.
  if (isLanding) startTransition(() => root.render(app))
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
