import { eq } from 'drizzle-orm'
import type { LedgerType } from '../../contract/ledger.ts'
import type { DbTransaction } from '../db/database.ts'
import { hold, holdResolution } from '../db/schema/ledger.ts'
import type { Clock, Random } from '../ports.ts'
import type { LedgerAccount, PostingRef } from './post.ts'
import type { Ledger, Posted } from './ledger.ts'

/** Money to be set aside: from `available`, or from the confirmed share of the fund. */
export type HoldRequest = {
  memberId: string
  source: 'available' | 'fund'
  amount: number
  type: LedgerType
  ref: PostingRef
}
/** How a hold ends: posted to `to`, or returned to its source. `no` is the number of what it belongs to. */
export type HoldResolution = { type: LedgerType; no?: string } & (
  | { outcome: 'posted'; to: LedgerAccount }
  | { outcome: 'voided' }
)

/** Holds: pending, then posted or voided, once. The primary key of the resolution decides races. */
export type Holds = {
  /** Returns null if the source does not have that much. */
  place(tx: DbTransaction, request: HoldRequest): Promise<{ holdId: string; posted: Posted } | null>
  /** Returns null if the hold is already resolved. */
  resolve(tx: DbTransaction, holdId: string, resolution: HoldResolution): Promise<Posted | null>
}

export function createHolds(parts: { ledger: Ledger; clock: Pick<Clock, 'now'>; random: Random }): Holds {
  const { ledger, clock, random } = parts
  return {
    place: async (tx, { memberId, source, amount, type, ref }) => {
      const posted = await ledger.post(tx, {
        memberId,
        type,
        legs: { [source]: -amount, held: amount },
        // The capital record is about `available`: money from the fund appears there once it is back in `available`.
        amount: source === 'available' ? -amount : 0,
        ref,
      })
      if (!posted) return null
      const holdId = random.uuid()
      const at = clock.now()
      await tx
        .insert(hold)
        .values({ id: holdId, memberId, source, amount, refKind: ref.kind, refId: ref.id, at })
      return { holdId, posted }
    },
    resolve: async (tx, holdId, resolution) => {
      const [row] = await tx.select().from(hold).where(eq(hold.id, holdId))
      if (!row) throw new Error('Unknown hold.')
      const { outcome, type } = resolution
      const claimed = await tx
        .insert(holdResolution)
        .values({ holdId, outcome, at: clock.now() })
        .onConflictDoNothing()
        .returning()
      if (claimed.length === 0) return null
      const to = resolution.outcome === 'posted' ? resolution.to : row.source
      const posted = await ledger.post(tx, {
        memberId: row.memberId,
        type,
        legs: { held: -row.amount, [to]: row.amount },
        ref: { kind: row.refKind, id: row.refId, no: resolution.no },
      })
      return posted ?? throwMissingFunds()
    },
  }
}

function throwMissingFunds(): never {
  throw new Error('The held money is missing.')
}
