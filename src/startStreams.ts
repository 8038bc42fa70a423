import { filter, firstValueFrom } from 'rxjs'
import { subscribeKey } from 'valtio/utils'
import { memberRoutes } from '../contract/member.ts'
import { venueRoutes } from '../contract/venueConfig.ts'
import { createStreams, createWire } from '../streams/index.ts'
import type { Streams } from '../streams/index.ts'
import { refreshConfig } from './api/refreshConfig.ts'
import { apiForStreams } from './api/streamsApi.ts'
import { call } from './api/venue.ts'
import { createPlacementStore } from './state/placementStore.ts'
import { storeLiveEvents, offlineStore } from './state/memberStores.ts'
import { endSession, session } from './state/session.ts'
import { detectSuspend } from './suspendDetector.ts'
import { followVenueStatus } from './state/venueStatus.ts'
import { uuid } from './uuid.ts'

/** Connects to the venue, and reconnects or refreshes on changes of the session, the network and the tab. */
export function startStreams(): Streams {
  const streams = createStreams({
    wire: createWire(),
    api: apiForStreams(call, offlineStore),
    placementStore: createPlacementStore(() => session.userInfo?.id),
    newKey: uuid,
    monotonic: () => performance.now(),
  })
  storeLiveEvents(streams)
  void loadProofChecks(streams)
  streams.session$.subscribe(endSession)
  followVenueStatus(streams, refreshConfig)
  // Another member has another cookie: the socket must be opened with it.
  subscribeKey(session, 'token', () => streams.reconnect())
  addEventListener('online', () => streams.refresh())
  addEventListener('pageshow', (event) => {
    if (event.persisted) streams.refresh()
  })
  // A tab that the browser froze resumes.
  document.addEventListener('resume', () => streams.refresh())
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) streams.refresh()
  })
  detectSuspend(() => streams.refresh())
  void refreshSession()
  return streams
}

/** Loads the proof checks once the venue is online, after the code the first page needs. */
async function loadProofChecks(streams: Streams): Promise<void> {
  await firstValueFrom(streams.connection$.pipe(filter(({ state }) => state === 'online'))).catch(
    () => undefined,
  )
  const module = await import('./proof/startProofChecks.ts').catch(() => undefined)
  module?.startProofChecks(streams, call)
}

/** Refreshes the venue config and the member; until then the stored answers are used. */
async function refreshSession(): Promise<void> {
  const [config, me] = await Promise.all([
    call(venueRoutes.config, {}),
    session.token === null ? undefined : call(memberRoutes.me, {}),
  ])
  if (config.ok) session.appInfo = config.value
  if (me?.ok && session.token !== null) session.userInfo = me.value
}
