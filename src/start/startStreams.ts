import { filter, firstValueFrom } from 'rxjs'
import { subscribeKey } from 'valtio/utils'
import { memberRoutes } from '../../contract/member.ts'
import { venueRoutes } from '../../contract/venueConfig.ts'
import { createStreams, createWire, type Streams } from '../../streams/index.ts'
import { refreshConfig } from '../api/refreshConfig.ts'
import { apiForStreams } from '../api/streamsApi.ts'
import { call } from '../api/venue.ts'
import { createFindPolling } from '../api/findPolling.ts'
import { evidence, offlineStore, placementStore, storeLiveEvents, toldOrders } from '../state/memberStores.ts'
import { endSession, session } from '../state/session.ts'
import { detectSuspend } from '../api/suspendDetector.ts'
import { followVenueStatus } from '../state/venueStatus.ts'
import { uuid } from '../lib/uuid.ts'
import { watchSocket } from '../api/watchSocket.ts'

/** Connects to the venue, and reconnects or refreshes on changes of the session, the network and the tab. */
export function startStreams(): Streams {
  const { findPolling, answer$ } = createFindPolling(call)
  const streams = createStreams({
    wire: createWire({ findPolling }),
    api: apiForStreams(call, offlineStore, evidence),
    placementStore,
    seenOpen: {
      load: toldOrders.untold,
      add: (ids) => void toldOrders.sawOpen(ids),
      forget: (ids) => void toldOrders.forget(ids),
    },
    newKey: uuid,
    monotonic: () => performance.now(),
  })
  storeLiveEvents(streams)
  void loadProofChecks(streams)
  streams.session$.subscribe(endSession)
  followVenueStatus(streams, refreshConfig)
  watchSocket(streams, answer$)
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
  const module = await import('../proof/startProofChecks.ts').catch(() => undefined)
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
