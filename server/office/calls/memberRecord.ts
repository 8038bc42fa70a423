import { desc, eq, or } from 'drizzle-orm'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import { member, session } from '../../platform/db/schema.ts'
import { orders, type OrderRow, type Trading } from '../../trading/index.ts'
import type { Fund, Ledger } from '../../money/index.ts'
import type { Sessions } from '../../members/index.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'
import { search, type SearchParts } from './search.ts'

export type MemberRecordParts = SearchParts & {
  idResolver: IdResolver
  actLog: ActLog
  ledger: Pick<Ledger, 'entries'>
  fund: Pick<Fund, 'catchUp' | 'view'>
  trading: Pick<Trading, 'list' | 'view' | 'prove'>
  sessions: Pick<Sessions, 'endAll'>
}

/** Search, and everything about one member that is not a request: each look is a row of the act log. */
export function mountMemberRecord(call: OfficeCall, parts: MemberRecordParts): void {
  const { db, idResolver, actLog, ledger, fund, trading, sessions } = parts
  /** Resolves the member, and records the look before anything is read. */
  const look = async (idOrAccount: string, kind: string, actor: string): Promise<string> => {
    const memberId = await idResolver.member(idOrAccount)
    await actLog.look({ actor, subject: { kind, id: memberId }, memberId })
    return memberId
  }
  const routes = officeRoutes.members
  call(officeRoutes.search.find, async ({ body, actor, role }) => ({
    items: await search(parts, body.q, { actor, role }),
  }))
  call(routes.orders, async ({ params, query: { limit, cursor, ...filters }, actor }) =>
    trading.list(await look(params.id, 'orders', actor), filters, { limit, cursor }),
  )
  call(routes.ledger, async ({ params, query: { limit, cursor, ...filters }, actor }) =>
    ledger.entries(await look(params.id, 'ledger', actor), filters, { limit, cursor }),
  )
  call(routes.fund, async ({ params, actor }) => {
    const memberId = await look(params.id, 'fund', actor)
    await fund.catchUp(memberId)
    return fund.view(memberId)
  })
  call(routes.sessions, async ({ params, actor }) => {
    const memberId = await look(params.id, 'sessions', actor)
    const rows = await db
      .select()
      .from(session)
      .where(eq(session.memberId, memberId))
      .orderBy(desc(session.lastSeenAt))
    return {
      items: rows.map(({ id, device, ip, createdAt, lastSeenAt }) => ({
        id,
        device,
        ip,
        createdAt,
        lastSeenAt,
      })),
    }
  })
  call(routes['end-sessions'], async ({ params, actor }) => {
    const memberId = await idResolver.member(params.id)
    await actLog.write(db, {
      actor,
      act: 'end-sessions',
      subject: { kind: 'member', id: memberId },
      memberId,
    })
    const endSockets = await sessions.endAll(db, memberId)
    return { ended: endSockets() }
  })
  mountOrders(call, parts)
}

function mountOrders(call: OfficeCall, { db, actLog, trading }: MemberRecordParts): void {
  const look = async (
    idOrNo: string,
    actor: string,
    part: string,
  ): Promise<{ row: OrderRow; account: string }> => {
    const [found] = await db
      .select({ row: orders, account: member.account })
      .from(orders)
      .innerJoin(member, eq(member.id, orders.memberId))
      .where(or(eq(orders.id, idOrNo), eq(orders.no, idOrNo.toUpperCase())))
    if (!found) throw new ApiError('NOT_FOUND')
    const { id, memberId } = found.row
    await actLog.look({ actor, subject: { kind: 'order', id }, memberId, details: { part } })
    return found
  }
  call(officeRoutes.orders.show, async ({ params, actor }) => {
    const { row, account } = await look(params.id, actor, 'order')
    return { order: trading.view(row), memberId: row.memberId, account }
  })
  call(officeRoutes.orders.proof, async ({ params, actor }) => {
    const { row } = await look(params.id, actor, 'proof')
    return trading.prove(trading.view(row))
  })
}
