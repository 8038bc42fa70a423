import { officeRoutes } from '../../../contract/office/routes.ts'
import type { VenueStatus } from '../../../contract/venueConfig.ts'
import type { OfficeClock, OfficeProduct } from '../../../contract/office/views.ts'
import type { ActLogEvent, ActLog } from '../../notices/index.ts'
import type { BusinessClock, DailyJobs } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Market } from '../../market/index.ts'
import type { VenueStatusStore } from '../../trading/index.ts'
import type { OfficeCall } from './officeCall.ts'

export type VenueAdminParts = {
  actLog: ActLog
  clock: Pick<Clock, 'now'>
  business: Pick<BusinessClock, 'now' | 'today' | 'offsetMs'>
  dailyJobs: Pick<DailyJobs, 'advance'>
  market: Pick<Market, 'ids' | 'settings' | 'tradingHours' | 'lastTickAt' | 'feedStatus' | 'setMaintenance'>
  venueStatus: Pick<VenueStatusStore, 'state' | 'setMaintenance'>
  zone: string
}

/** Maintenance of products and of the venue, and the business calendar. */
export function mountVenueAdmin(call: OfficeCall, parts: VenueAdminParts): void {
  const { actLog, business, clock, dailyJobs, zone } = parts
  mountProducts(call, parts)
  mountVenueStatus(call, parts)

  const clockView = (): OfficeClock => ({
    now: clock.now(),
    businessNow: business.now(),
    businessOn: business.today(),
    businessOffsetMs: business.offsetMs(),
    zone,
  })
  call(officeRoutes.clock.show, async () => clockView())
  call(officeRoutes.clock.advance, async ({ body: { ms }, actor }) => {
    const subject = { kind: 'calendar', id: 'business' }
    const details = { ms, from: business.offsetMs() }
    await dailyJobs.advance(ms, (tx) => actLog.write(tx, { actor, act: 'advance', subject, details }))
    return clockView()
  })
}

function mountProducts(call: OfficeCall, { actLog, clock, market }: VenueAdminParts): void {
  const view = (id: string): OfficeProduct => {
    const settings = market.settings(id)
    if (!settings) throw new ApiError('NOT_FOUND')
    const { status, opensAt, closesAt } = market.tradingHours(id)
    const feed = { lastAt: market.lastTickAt(id), feed: market.feedStatus(id) }
    const stakes = settings.durations.map(({ seconds, min, max }) => ({ seconds, min, max }))
    return { id, code: settings.code, status, opensAt, closesAt, ...feed, stakes }
  }
  call(officeRoutes.products.list, async ({ query: { cursor, limit } }) => {
    const from = cursor === undefined ? 0 : market.ids.indexOf(cursor) + 1
    if (cursor !== undefined && from === 0) {
      throw new ApiError('VALIDATION', { fields: { cursor: 'INVALID' } })
    }
    const ids = market.ids.slice(from, from + limit)
    const hasMore = from + limit < market.ids.length
    return { items: ids.map(view), nextCursor: hasMore ? (ids.at(-1) ?? null) : null }
  })

  const maintain = async (id: string, actor: string, on: boolean, opensAt: number | null) => {
    view(id)
    assertInFuture(opensAt, clock.now())
    const act = maintenanceAct({ kind: 'product', id }, actor, on, opensAt)
    await market.setMaintenance(id, on, opensAt, (tx) => actLog.write(tx, act))
    return view(id)
  }
  call(officeRoutes.products.maintenance, ({ params, body, actor }) =>
    maintain(params.id, actor, true, body.opensAt ?? null),
  )
  call(officeRoutes.products.open, ({ params, actor }) => maintain(params.id, actor, false, null))
}

function mountVenueStatus(call: OfficeCall, { actLog, clock, venueStatus }: VenueAdminParts): void {
  const maintain = async (actor: string, on: boolean, opensAt: number | null): Promise<VenueStatus> => {
    assertInFuture(opensAt, clock.now())
    const act = maintenanceAct({ kind: 'site', id: 'site' }, actor, on, opensAt)
    await venueStatus.setMaintenance(on, opensAt, (tx) => actLog.write(tx, act))
    return venueStatus.state()
  }
  call(officeRoutes.site.show, async () => venueStatus.state())
  call(officeRoutes.site.maintenance, ({ body, actor }) => maintain(actor, true, body.opensAt ?? null))
  call(officeRoutes.site.open, ({ actor }) => maintain(actor, false, null))
}

/** Maintenance that ends in the past is rejected as a typing error. */
function assertInFuture(opensAt: number | null, now: number): void {
  if (opensAt === null || opensAt > now) return
  throw new ApiError('VALIDATION', { fields: { opensAt: 'INVALID' } })
}

const maintenanceAct = (
  subject: ActLogEvent['subject'],
  actor: string,
  on: boolean,
  opensAt: number | null,
): ActLogEvent => ({ actor, act: on ? 'maintenance' : 'open', subject, ...(on && { details: { opensAt } }) })
