import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import i18next from 'i18next'
import { App } from './App.tsx'
import { currentLanguage, startI18n } from './i18n.ts'
import { parseHash } from './router/hashLocation.ts'
import { followTrail } from './router/trail.ts'
import { isTabRoot, routeOf } from './routes.ts'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { reportFailure } from './shell/reportFailure.ts'
import { StartFailure } from './shell/StartFailure.tsx'
import { persistPreferences } from './state/preferences.ts'
import { persistSession } from './state/session.ts'
import { streaming } from './streaming.ts'
import { followTheme } from './theme.ts'
import './theme.css'

/** Somebody went elsewhere before the first page was here. */
const left = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('the page has no #root')
  const root = createRoot(container)
  persistSession()
  persistPreferences()
  followTrail(isTabRoot)
  const followLanguage = followTheme(currentLanguage)
  void streaming.get()
  const { page } = routeOf(parseHash(location.hash).path)
  const arrived = page.get()
  try {
    await startI18n()
  } catch {
    reportFailure('other', 'locales')
    root.render(<StartFailure />)
    return
  }
  i18next.on('languageChanged', followLanguage)
  // The front door already stands in the page: it gives way to the app once that can draw it whole.
  if (container.querySelector('[data-first-paint]') && !('away' in document.documentElement.dataset)) {
    await Promise.race([arrived, left()])
  }
  const app = (
    <StrictMode>
      <ErrorBoundary Fallback={StartFailure} onFault={() => reportFailure('other', 'app')}>
        <App />
      </ErrorBoundary>
    </StrictMode>
  )
  // Drawn in slices: whoever reads the front door can scroll it meanwhile.
  startTransition(() => root.render(app))
  if (import.meta.env.PROD) void import('./pwa/register.ts').then(({ startWorker }) => startWorker())
}

void start()
