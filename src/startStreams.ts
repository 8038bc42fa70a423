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

/** Opens the line to the venue, and keeps it in step with the session, the network and the tab. */
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
  // Another member, another cookie: the socket must be opened with it.
  subscribeKey(session, 'token', () => streams.reconnect())
  addEventListener('online', () => streams.refresh())
  addEventListener('pageshow', (event) => {
    if (event.persisted) streams.refresh()
  })
  // A tab that the browser froze goes on.
  document.addEventListener('resume', () => streams.refresh())
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) streams.refresh()
  })
  detectSuspend(() => streams.refresh())
  void refreshSession()
  return streams
}

/** The code that checks proofs comes once the venue is heard, after what the first page needs. */
async function loadProofChecks(streams: Streams): Promise<void> {
  await firstValueFrom(streams.connection$.pipe(filter(({ state }) => state === 'online'))).catch(
    () => undefined,
  )
  const module = await import('./proof/startProofChecks.ts').catch(() => undefined)
  module?.startProofChecks(streams)
}

/** What the venue is set to, and who the member is by now; the stored answers serve until these come. */
async function refreshSession(): Promise<void> {
  const [config, me] = await Promise.all([
    call(venueRoutes.config, {}),
    session.token === null ? undefined : call(memberRoutes.me, {}),
  ])
  if (config.ok) session.appInfo = config.value
  if (me?.ok && session.token !== null) session.userInfo = me.value
}
