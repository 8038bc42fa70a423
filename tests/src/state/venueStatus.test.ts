// @vitest-environment happy-dom
import { BehaviorSubject, Subject } from 'rxjs'
import { beforeEach, expect, it } from 'vitest'
import type { VenueConfig } from '../../../contract/venueConfig.ts'
import { session } from '../../../src/state/session.ts'
import { followVenueStatus } from '../../../src/state/venueStatus.ts'
import type { Connection } from '../../../streams/index.ts'

const config = { name: 'Uptick', siteStatus: 'up' } as VenueConfig
const connection = (state: Connection['state']): Connection => ({
  state,
  stale: false,
  lastHeartbeatAt: undefined,
  attempt: 0,
})
let notice$: Subject<{ siteStatus: 'up' | 'maintenance'; until: number | null }>
let connection$: BehaviorSubject<Connection>
let requestCount: number
beforeEach(() => {
  session.appInfo = { ...config }
  notice$ = new Subject()
  connection$ = new BehaviorSubject(connection('connecting'))
  requestCount = 0
  followVenueStatus({ notice$, connection$ }, async () => void (requestCount += 1))
})
const reconnect = (): void => {
  connection$.next(connection('reconnecting'))
  connection$.next(connection('online'))
}

it('applies each notice', () => {
  notice$.next({ siteStatus: 'maintenance', until: 9 })
  expect(session.appInfo).toMatchObject({ name: 'Uptick', siteStatus: 'maintenance', siteOpensAt: 9 })
  notice$.next({ siteStatus: 'up', until: null })
  expect(session.appInfo).toMatchObject({ siteStatus: 'up', siteOpensAt: null })
})

it('fetches the configuration after the first connect if the stored one says maintenance', () => {
  session.appInfo = { ...config, siteStatus: 'maintenance' }
  connection$.next(connection('online'))
  expect(requestCount).toBe(1)
})

it('fetches the configuration after an outage during maintenance, and only then', () => {
  connection$.next(connection('online'))
  notice$.next({ siteStatus: 'maintenance', until: null })
  expect(requestCount).toBe(0)
  reconnect()
  expect(requestCount).toBe(1)
  notice$.next({ siteStatus: 'up', until: null })
  reconnect()
  expect(requestCount).toBe(1)
})

it('ignores a notice before the configuration is known', () => {
  session.appInfo = null
  notice$.next({ siteStatus: 'maintenance', until: null })
  expect(session.appInfo).toBeNull()
})
