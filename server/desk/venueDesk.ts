import { deskRoutes } from '../../contract/desk.ts'
import type { SiteState } from '../../contract/site.ts'
import type { DeskClock, DeskProduct } from '../../contract/desk/views.ts'
import type { Act, Audit } from '../audit/audit.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { StandingJobs } from '../calendar/standingJobs.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock, Market } from '../ports.ts'
import type { Site } from '../site/siteStatus.ts'
import type { DeskCall } from './deskCall.ts'

export type VenueDeskParts = {
  audit: Audit
  clock: Pick<Clock, 'now'>
  business: Pick<BusinessClock, 'now' | 'today' | 'offsetMs'>
  standingJobs: Pick<StandingJobs, 'advance'>
  market: Pick<Market, 'ids' | 'settings' | 'session' | 'lastTickAt' | 'feedStatus' | 'setMaintenance'>
  site: Pick<Site, 'state' | 'setMaintenance'>
  zone: string
}

/** Which products take orders, whether the site does, the business calendar, and what was done from here. */
export function mountVenueDesk(call: DeskCall, parts: VenueDeskParts): void {
  const { audit, business, clock, standingJobs, zone } = parts
  mountProducts(call, parts)
  mountSite(call, parts)

  const shown = (): DeskClock => ({
    now: clock.now(),
    businessNow: business.now(),
    businessOn: business.today(),
    businessOffsetMs: business.offsetMs(),
    zone,
  })
  call(deskRoutes.clock.show, async () => shown())
  call(deskRoutes.clock.advance, async ({ body: { ms }, actor }) => {
    const subject = { kind: 'calendar', id: 'business' }
    const details = { ms, from: business.offsetMs() }
    await standingJobs.advance(ms, (tx) => audit.write(tx, { actor, act: 'advance', subject, details }))
    return shown()
  })

  call(deskRoutes.audit.list, ({ query: { kind, id, ...page } }) =>
    audit.list(page, {
      ...(kind !== undefined && { subjectKind: kind }),
      ...(id !== undefined && { subjectId: id }),
    }),
  )
}

function mountProducts(call: DeskCall, { audit, clock, market }: VenueDeskParts): void {
  const view = (id: string): DeskProduct => {
    const settings = market.settings(id)
    if (!settings) throw new Refusal(404, 'NOT_FOUND')
    const { status, opensAt, closesAt } = market.session(id)
    const feed = { lastAt: market.lastTickAt(id), feed: market.feedStatus(id) }
    return { id, code: settings.code, status, opensAt, closesAt, ...feed }
  }
  call(deskRoutes.products.list, async ({ query: { cursor, limit } }) => {
    const from = cursor === undefined ? 0 : market.ids.indexOf(cursor) + 1
    if (cursor !== undefined && from === 0) {
      throw new Refusal(400, 'VALIDATION', { fields: { cursor: 'INVALID' } })
    }
    const ids = market.ids.slice(from, from + limit)
    const goesOn = from + limit < market.ids.length
    return { items: ids.map(view), nextCursor: goesOn ? (ids.at(-1) ?? null) : null }
  })

  const maintain = async (id: string, actor: string, on: boolean, opensAt: number | null) => {
    view(id)
    refusePast(opensAt, clock.now())
    const act = maintenanceAct({ kind: 'product', id }, actor, on, opensAt)
    await market.setMaintenance(id, on, opensAt, (tx) => audit.write(tx, act))
    return view(id)
  }
  call(deskRoutes.products.maintenance, ({ params, body, actor }) =>
    maintain(params.id, actor, true, body.opensAt ?? null),
  )
  call(deskRoutes.products.open, ({ params, actor }) => maintain(params.id, actor, false, null))
}

function mountSite(call: DeskCall, { audit, clock, site }: VenueDeskParts): void {
  const maintain = async (actor: string, on: boolean, opensAt: number | null): Promise<SiteState> => {
    refusePast(opensAt, clock.now())
    const act = maintenanceAct({ kind: 'site', id: 'site' }, actor, on, opensAt)
    await site.setMaintenance(on, opensAt, (tx) => audit.write(tx, act))
    return site.state()
  }
  call(deskRoutes.site.show, async () => site.state())
  call(deskRoutes.site.maintenance, ({ body, actor }) => maintain(actor, true, body.opensAt ?? null))
  call(deskRoutes.site.open, ({ actor }) => maintain(actor, false, null))
}

/** Maintenance that ends before it began is a slip of the hand. */
function refusePast(opensAt: number | null, now: number): void {
  if (opensAt === null || opensAt > now) return
  throw new Refusal(400, 'VALIDATION', { fields: { opensAt: 'INVALID' } })
}

const maintenanceAct = (
  subject: Act['subject'],
  actor: string,
  on: boolean,
  opensAt: number | null,
): Act => ({ actor, act: on ? 'maintenance' : 'open', subject, ...(on && { details: { opensAt } }) })
