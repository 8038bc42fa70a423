import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import i18next from 'i18next'
import { subscribeKey } from 'valtio/utils'
import { sessionRoutes } from '../contract/session.ts'
import { createStreams, createWire } from '../streams/index.ts'
import type { Streams } from '../streams/index.ts'
import { apiForStreams } from './api/streamsApi.ts'
import { call } from './api/venue.ts'
import { App } from './App.tsx'
import { StreamsProvider } from './hooks/useStreams.ts'
import { currentLanguage, startI18n } from './i18n.ts'
import { followTrail } from './router/trail.ts'
import { isTabRoot } from './routes.ts'
import { StartFailure } from './shell/StartFailure.tsx'
import { createIntentStore } from './state/intents.ts'
import { persistPreferences } from './state/preferences.ts'
import { endSession, persistSession, session } from './state/session.ts'
import { followTheme } from './theme.ts'
import { uuid } from './uuid.ts'
import './theme.css'

function startStreams(): Streams {
  const streams = createStreams({
    wire: createWire(),
    api: apiForStreams(call),
    intents: createIntentStore(() => session.userInfo?.id),
    newKey: uuid,
    monotonic: () => performance.now(),
  })
  streams.session$.subscribe(endSession)
  // Another member, another cookie: the socket must be opened with it.
  subscribeKey(session, 'token', () => streams.reconnect())
  addEventListener('online', () => streams.wake())
  addEventListener('pageshow', (event) => {
    if (event.persisted) streams.wake()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) streams.wake()
  })
  return streams
}

/** What the venue is set to, and who the member is by now; the stored answers serve until these come. */
async function refreshSession(): Promise<void> {
  const [config, me] = await Promise.all([
    call(sessionRoutes.config, {}),
    session.token === null ? undefined : call(sessionRoutes.me, {}),
  ])
  if (config.ok) session.appInfo = config.value
  if (me?.ok && session.token !== null) session.userInfo = me.value
}

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('the page has no #root')
  const root = createRoot(container)
  persistSession()
  persistPreferences()
  followTrail(isTabRoot)
  const followLanguage = followTheme(currentLanguage)
  try {
    await startI18n()
  } catch {
    root.render(<StartFailure />)
    return
  }
  i18next.on('languageChanged', followLanguage)
  const streams = startStreams()
  void refreshSession()
  root.render(
    <StrictMode>
      <StreamsProvider value={streams}>
        <App />
      </StreamsProvider>
    </StrictMode>,
  )
}

void start()
