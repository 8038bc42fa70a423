import { filter, firstValueFrom } from 'rxjs'
import { subscribeKey } from 'valtio/utils'
import { sessionRoutes } from '../contract/session.ts'
import { createStreams, createWire } from '../streams/index.ts'
import type { Streams } from '../streams/index.ts'
import { refreshConfig } from './api/refreshConfig.ts'
import { apiForStreams } from './api/streamsApi.ts'
import { call } from './api/venue.ts'
import { createIntentStore } from './state/intents.ts'
import { followOffline, offline } from './state/offlineMember.ts'
import { endSession, session } from './state/session.ts'
import { watchSleep } from './sleep.ts'
import { followSite } from './state/site.ts'
import { uuid } from './uuid.ts'

/** Opens the line to the venue, and keeps it in step with the session, the network and the tab. */
export function startStreams(): Streams {
  const streams = createStreams({
    wire: createWire(),
    api: apiForStreams(call, offline),
    intents: createIntentStore(() => session.userInfo?.id),
    newKey: uuid,
    monotonic: () => performance.now(),
  })
  followOffline(streams)
  void followProofs(streams)
  streams.session$.subscribe(endSession)
  followSite(streams, refreshConfig)
  // Another member, another cookie: the socket must be opened with it.
  subscribeKey(session, 'token', () => streams.reconnect())
  addEventListener('online', () => streams.wake())
  addEventListener('pageshow', (event) => {
    if (event.persisted) streams.wake()
  })
  // A tab that the browser froze goes on.
  document.addEventListener('resume', () => streams.wake())
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) streams.wake()
  })
  watchSleep(() => streams.wake())
  void refreshSession()
  return streams
}

/** The code that checks proofs comes once the venue is heard, after what the first page needs. */
async function followProofs(streams: Streams): Promise<void> {
  await firstValueFrom(streams.connection$.pipe(filter(({ state }) => state === 'online'))).catch(
    () => undefined,
  )
  const module = await import('./proof/followProofs.ts').catch(() => undefined)
  module?.followProofs(streams)
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
