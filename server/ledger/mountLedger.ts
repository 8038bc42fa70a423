import type { FastifyInstance } from 'fastify'
import type { Minor } from '../../contract/brand.ts'
import { ledgerRoutes } from '../../contract/ledger.ts'
import type { Db } from '../db/database.ts'
import { csvType } from '../csv.ts'
import { exportRange } from '../http/downloads.ts'
import { mount } from '../http/mount.ts'
import { ApiError } from '../apiError.ts'
import { mountIdempotent } from '../idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../idempotency/idempotencyKeys.ts'
import type { Ledger } from './ledger.ts'
import { ledgerEntriesCsv, listLedgerEntries } from './ledgerEntries.ts'

export type LedgerMount = {
  db: Db
  idempotencyKeys: IdempotencyKeys
  ledger: Ledger
  /** The opening amount of practice money; null in live mode. */
  practiceBalance: Minor | null
}

/** The routes about a member's money: assets, capital record, practice reset. */
export function mountLedger(
  app: FastifyInstance,
  { db, idempotencyKeys, ledger, practiceBalance }: LedgerMount,
): void {
  mount(app, ledgerRoutes.assets, ({ member }) => ledger.assets(member.memberId))

  mount(app, ledgerRoutes.ledger, ({ member, query }) => {
    const { limit, cursor, ...filters } = query
    return listLedgerEntries(db, member.memberId, filters, { limit, cursor })
  })

  mount(app, ledgerRoutes.ledgerCsv, async ({ member, query, reply }) => {
    const { clock, downloads } = app.requestContext
    const pieces = ledgerEntriesCsv(db, member.memberId, { ...query, ...exportRange(query, clock.now()) })
    return downloads.stream({ member, reply }, { name: 'ledger.csv', type: csvType, pieces })
  })

  mountIdempotent(
    app,
    { db, idempotencyKeys },
    ledgerRoutes.practiceReset,
    async (tx, { member: { memberId } }) => {
      if (practiceBalance === null) throw new ApiError(403, 'PRACTICE_ONLY')
      const { available, stakes } = await ledger.lock(tx, memberId)
      if (stakes > 0) throw new ApiError(409, 'OPEN_ORDERS')
      const shortfall = practiceBalance - available
      const transaction = {
        memberId,
        type: 'reset',
        legs: { available: shortfall, grants: -shortfall },
      } as const
      const posted = await ledger.post(tx, transaction)
      if (!posted) throw new Error('The reset of a locked balance was rejected.')
      return { answer: posted.assets, afterCommit: () => ledger.publish(memberId, posted) }
    },
  )
}
