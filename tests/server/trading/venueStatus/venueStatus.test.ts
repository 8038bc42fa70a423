import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Order } from '../../../../contract/orders.ts'
import type { Notice } from '../../../../contract/socket.ts'
import { venueConfig, type VenueConfig, type VenueStatus } from '../../../../contract/venueConfig.ts'
import { hourMs } from '../../../../contract/time.ts'
import { createSettingWatch } from '../../../../server/platform/settingWatch.ts'
import { openVenueStatus } from '../../../../server/trading/venueStatus/venueStatus.ts'
import { call } from '../../../support/apiCalls.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ ticking: true })
const member = await venue.registerMember()
beforeEach(() => venue.office('POST', '/site/open'))
const sockets = new Set<ReturnType<typeof io>>()
afterEach(() => {
  for (const socket of sockets) socket.disconnect()
  sockets.clear()
})

const maintain = (body: object = {}) => venue.office<VenueStatus>('POST', '/site/maintenance', { body })
const configOf = async () => (await call<VenueConfig>(venue.app, 'GET', '/config')).body
const place = () =>
  member.post<Order>('/orders', {
    productId: 'BTCUSDT',
    direction: 'up',
    amount: '10.00',
    seconds: 60,
    rateBp: 8500,
    validUntil: venue.clock.now() + 10_000,
  })
/** Connects a socket and returns its notices one by one. */
async function connectListener() {
  const socket = io((await venue.listen()).url, { transports: ['websocket'], forceNew: true })
  sockets.add(socket)
  const received: Notice[] = []
  const waiting: ((notice: Notice) => void)[] = []
  socket.on('notice', (notice: Notice) => {
    const next = waiting.shift()
    if (next) next(notice)
    else received.push(notice)
  })
  await new Promise<void>((resolve) => void socket.once('hello', () => resolve()))
  return {
    next: async () =>
      received.shift() ?? new Promise<Notice>((resolve) => void waiting.push((notice) => resolve(notice))),
  }
}

it('rejects only new orders during maintenance', async () => {
  const before = await place()
  expect(before.status).toBe(201)
  const started = await maintain()
  expect(started).toMatchObject({ status: 200, body: { status: 'maintenance', opensAt: null } })
  expect(officeRoutes.site.maintenance.answer.parse(started.body)).toEqual(started.body)
  expect(await place()).toMatchObject({
    status: 422,
    code: 'PRODUCT_MAINTENANCE',
    params: { opensAt: null },
  })
  const config = await configOf()
  expect(config).toMatchObject({ siteStatus: 'maintenance', siteOpensAt: null })
  expect(venueConfig.parse(config)).toEqual(config)
  expect((await member.get<Order>(`/orders/${before.body.id}`)).status).toBe(200)
  expect((await member.post('/fund/deposits', { amount: '10.00' })).status).toBe(201)

  expect((await venue.office<VenueStatus>('POST', '/site/open')).body).toEqual({
    status: 'up',
    opensAt: null,
  })
  expect((await place()).status).toBe(201)
  const up = await configOf()
  expect(up.siteStatus).toBe('up')
  expect(up).not.toHaveProperty('siteOpensAt')
  const acts = await venue.office<{ items: object[] }>('GET', '/audit?kind=site&limit=2')
  expect(acts.body.items).toMatchObject([
    { actor: 'mei', act: 'open', subject: { kind: 'site', id: 'site' } },
    { actor: 'mei', act: 'maintenance', details: { opensAt: null } },
  ])
})

it('ends maintenance at its opening time and notifies connected clients of both', async () => {
  const watcher = await connectListener()
  const opensAt = venue.clock.now() + hourMs
  await maintain({ opensAt })
  expect(await watcher.next()).toEqual({ siteStatus: 'maintenance', until: opensAt })
  const late = await connectListener()
  expect(await late.next()).toEqual({ siteStatus: 'maintenance', until: opensAt })
  expect(await configOf()).toMatchObject({ siteStatus: 'maintenance', siteOpensAt: opensAt })
  await venue.clock.jumpBy(hourMs)
  expect(await watcher.next()).toEqual({ siteStatus: 'up', until: null })
  expect(await late.next()).toEqual({ siteStatus: 'up', until: null })
  expect((await venue.office<VenueStatus>('GET', '/site')).body).toEqual({ status: 'up', opensAt: null })
})

it('restores maintenance after a restart', async () => {
  const opensAt = venue.clock.now() + hourMs
  await maintain({ opensAt })
  const { clock } = venue
  const restarted = await openVenueStatus({
    db: venue.db,
    clock,
    settingWatch: createSettingWatch({ db: venue.db, cluster: null }),
  })
  expect(restarted.state()).toEqual({ status: 'maintenance', opensAt })
  restarted.stop()
})

it('rejects an opening time in the past', async () => {
  const past = await maintain({ opensAt: venue.clock.now() })
  expect(past).toMatchObject({ status: 400, code: 'VALIDATION', fields: { opensAt: 'INVALID' } })
  expect((await configOf()).siteStatus).toBe('up')
})
