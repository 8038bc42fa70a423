import { StrictMode } from 'react'
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

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('the page has no #root')
  const root = createRoot(container)
  persistSession()
  persistPreferences()
  followTrail(isTabRoot)
  const followLanguage = followTheme(currentLanguage)
  void streaming.get()
  void routeOf(parseHash(location.hash).path).page.get()
  try {
    await startI18n()
  } catch {
    reportFailure('other', 'locales')
    root.render(<StartFailure />)
    return
  }
  i18next.on('languageChanged', followLanguage)
  root.render(
    <StrictMode>
      <ErrorBoundary Fallback={StartFailure} onFault={() => reportFailure('other', 'app')}>
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
}

void start()
