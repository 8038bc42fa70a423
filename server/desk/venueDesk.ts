import { deskRoutes } from '../../contract/desk.ts'
import type { DeskClock, DeskProduct } from '../../contract/deskViews.ts'
import type { Audit } from '../audit/audit.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { StandingJobs } from '../calendar/standingJobs.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock, Market } from '../ports.ts'
import type { DeskCall } from './deskCall.ts'

export type VenueDeskParts = {
  audit: Audit
  clock: Pick<Clock, 'now'>
  business: Pick<BusinessClock, 'now' | 'today' | 'offsetMs'>
  standingJobs: Pick<StandingJobs, 'advance'>
  market: Pick<Market, 'ids' | 'settings' | 'session' | 'lastTickAt' | 'feedStatus' | 'setMaintenance'>
  zone: string
}

/** Which products take orders, the business calendar, and what was done from here. */
export function mountVenueDesk(call: DeskCall, parts: VenueDeskParts): void {
  const { audit, business, clock, standingJobs, zone } = parts
  mountProducts(call, parts)

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
    if (opensAt !== null && opensAt <= clock.now()) {
      throw new Refusal(400, 'VALIDATION', { fields: { opensAt: 'INVALID' } })
    }
    const act = on ? 'maintenance' : 'open'
    const details = on ? { opensAt } : {}
    await market.setMaintenance(id, on, opensAt, (tx) =>
      audit.write(tx, { actor, act, subject: { kind: 'product', id }, details }),
    )
    return view(id)
  }
  call(deskRoutes.products.maintenance, ({ params, body, actor }) =>
    maintain(params.id, actor, true, body.opensAt ?? null),
  )
  call(deskRoutes.products.open, ({ params, actor }) => maintain(params.id, actor, false, null))
}
