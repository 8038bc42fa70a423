import type { FastifyInstance } from 'fastify'
import type { Minor } from '../../contract/brand.ts'
import { sessionRoutes } from '../../contract/session.ts'
import type { Db } from '../db/database.ts'
import { csvType } from '../csv.ts'
import { fileSpan } from '../http/downloads.ts'
import { mount } from '../http/mount.ts'
import { Refusal } from '../http/refusal.ts'
import { mountKeyed } from '../idempotency/keyed.ts'
import type { Keys } from '../idempotency/keys.ts'
import type { Ledger } from './ledger.ts'
import { entriesCsv, listEntries } from './record.ts'

export type LedgerMount = {
  db: Db
  keys: Keys
  ledger: Ledger
  /** The opening amount of practice money; null in live mode. */
  practiceBalance: Minor | null
}

/** The calls about what a member has: assets, capital record, practice reset. */
export function mountLedger(app: FastifyInstance, { db, keys, ledger, practiceBalance }: LedgerMount): void {
  mount(app, sessionRoutes.assets, ({ member }) => ledger.assets(member.memberId))

  mount(app, sessionRoutes.ledger, ({ member, query }) => {
    const { limit, cursor, ...filters } = query
    return listEntries(db, member.memberId, filters, { limit, cursor })
  })

  mount(app, sessionRoutes.ledgerCsv, async ({ member, query, reply }) => {
    const { clock, downloads } = app.gate
    const pieces = entriesCsv(db, member.memberId, { ...query, ...fileSpan(query, clock.now()) })
    return downloads.send({ member, reply }, { name: 'ledger.csv', type: csvType, pieces })
  })

  mountKeyed(app, { db, keys }, sessionRoutes.practiceReset, async (tx, { member: { memberId } }) => {
    if (practiceBalance === null) throw new Refusal(403, 'PRACTICE_ONLY')
    const { available, stakes } = await ledger.lock(tx, memberId)
    if (stakes > 0) throw new Refusal(409, 'OPEN_ORDERS')
    const missing = practiceBalance - available
    const move = { memberId, type: 'reset', legs: { available: missing, grants: -missing } } as const
    const posted = await ledger.post(tx, move)
    if (!posted) throw new Error('A locked balance did not take its reset.')
    return { answer: posted.assets, committed: () => ledger.announce(memberId, posted) }
  })
}
