import { desc, eq, or } from 'drizzle-orm'
import { backOfficeRoutes } from '../../contract/backOffice.ts'
import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db } from '../db/database.ts'
import { member, session } from '../db/schema/member.ts'
import { orders } from '../db/schema/order.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { Fund } from '../fund/fund.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Sessions } from '../members/sessions.ts'
import type { Trading } from '../trading/trading.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { IdResolver } from './idResolver.ts'
import { search } from './search.ts'
import type { SearchParts } from './search.ts'

export type MemberRecordParts = SearchParts & {
  db: Db
  idResolver: IdResolver
  audit: Audit
  ledger: Pick<Ledger, 'entries'>
  fund: Pick<Fund, 'catchUp' | 'view'>
  trading: Pick<Trading, 'list' | 'view' | 'prove'>
  sessions: Pick<Sessions, 'endAll'>
}

/** Search, and everything about one member that is not a request: each look is a row of the audit. */
export function mountMemberRecord(call: BackOfficeCall, parts: MemberRecordParts): void {
  const { db, idResolver, audit, ledger, fund, trading, sessions } = parts
  /** Resolves the member, and records the look before anything is read. */
  const look = async (idOrAccount: string, kind: string, actor: string): Promise<string> => {
    const memberId = await idResolver.member(idOrAccount)
    await audit.write(db, { actor, act: 'view', subject: { kind, id: memberId }, memberId })
    return memberId
  }
  const routes = backOfficeRoutes.members
  call(backOfficeRoutes.search.find, async ({ body, actor }) => ({
    items: await search(parts, body.q, actor),
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
    await audit.write(db, { actor, act: 'end-sessions', subject: { kind: 'member', id: memberId }, memberId })
    const endSockets = await sessions.endAll(db, memberId)
    return { ended: endSockets() }
  })
  mountOrders(call, parts)
}

function mountOrders(call: BackOfficeCall, { db, audit, trading }: MemberRecordParts): void {
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
    await audit.write(db, { actor, act: 'view', subject: { kind: 'order', id }, memberId, details: { part } })
    return found
  }
  call(backOfficeRoutes.orders.show, async ({ params, actor }) => {
    const { row, account } = await look(params.id, actor, 'order')
    return { order: trading.view(row), memberId: row.memberId, account }
  })
  call(backOfficeRoutes.orders.proof, async ({ params, actor }) => {
    const { row } = await look(params.id, actor, 'proof')
    return trading.prove(trading.view(row))
  })
}
