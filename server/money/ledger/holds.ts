import { eq } from 'drizzle-orm'
import { movements } from '../../../contract/movements.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { hold, holdResolution } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { PostingRef } from './post.ts'
import { transactionOf, type Ledger, type Posted } from './ledger.ts'

/** Money to be set aside: from `available`, or from the confirmed share of the fund. `of` is what it belongs to. */
export type HoldRequest = {
  memberId: string
  kind: 'withdrawal_hold' | 'fund_out_held'
  amount: number
  of: Omit<PostingRef, 'kind'>
}
/** How a hold ends. `no` is the number of what it belongs to. */
export type HoldResolution = {
  kind: 'withdrawal_paid' | 'withdrawal_returned' | 'fund_out_paid'
  no?: string
}

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
    place: async (tx, { memberId, kind, amount, of }) => {
      const posted = await ledger.post(tx, transactionOf(kind, memberId, amount, of))
      if (!posted) return null
      const id = random.uuid()
      const { cause, from: source } = movements[kind]
      const ref = { refKind: cause, refId: of.id }
      await tx.insert(hold).values({ id, memberId, source, amount, ...ref, at: clock.now() })
      return { holdId: id, posted }
    },
    resolve: async (tx, holdId, { kind, no }) => {
      const [row] = await tx.select().from(hold).where(eq(hold.id, holdId))
      if (!row) throw new Error('Unknown hold.')
      const claimed = await tx
        .insert(holdResolution)
        .values({ holdId, outcome: movements[kind].ends, at: clock.now() })
        .onConflictDoNothing()
        .returning()
      if (claimed.length === 0) return null
      const { memberId, amount, refId: id } = row
      const posted = await ledger.post(tx, transactionOf(kind, memberId, amount, { id, no }))
      return posted ?? throwMissingFunds()
    },
  }
}

function throwMissingFunds(): never {
  throw new Error('The held money is missing.')
}
