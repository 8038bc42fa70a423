import { eq } from 'drizzle-orm'
import type { Minor } from '../../contract/brand.ts'
import { negate } from '../../contract/money.ts'
import type { Assets, LedgerEntry } from '../../contract/session.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { balance } from '../db/schema/ledger.ts'
import type { BalanceRow } from '../db/schema/ledger.ts'
import type { Clock, MemberBus } from '../ports.ts'
import { assetsOf, entryOf } from './assets.ts'
import type { BusinessCalendar } from './calendar.ts'
import { postMove, refOf } from './post.ts'
import type { Move } from './post.ts'

/** What a posting changed, as it travels. */
export type Posted = { entry: LedgerEntry; assets: Assets }

/** The one way to move money. Everything runs inside the caller's transaction, so that effect and money commit together. */
export type Ledger = {
  /** Gives a new member their balance, at zero. */
  open(tx: DbTransaction, memberId: string): Promise<void>
  /** Posts a move; null, and nothing changed, where an account of the member would fall below zero. */
  post(tx: Db | DbTransaction, move: Move): Promise<Posted | null>
  /** Locks the member's balance for the rest of the transaction and reads it. */
  lock(tx: DbTransaction, memberId: string): Promise<BalanceRow>
  assets(memberId: string): Promise<Assets>
  /** Tells the member's sockets; call it after the commit. */
  announce(memberId: string, ...posted: readonly Posted[]): void
}

export type LedgerParts = { db: Db; clock: Pick<Clock, 'now'>; calendar: BusinessCalendar; bus: MemberBus }

export function createLedger({ db, clock, calendar, bus }: LedgerParts): Ledger {
  return {
    open: async (tx, memberId) => {
      await tx.insert(balance).values({ memberId })
    },
    post: async (tx, move) => {
      const at = clock.now()
      const today = calendar.dayOf(at)
      const row = await postMove(tx, move, at, today)
      return row && { entry: entryOf(lineOf(move, row, at)), assets: assetsOf(row, today) }
    },
    lock: async (tx, memberId) => {
      const [row] = await tx.select().from(balance).where(eq(balance.memberId, memberId)).for('update')
      return row ?? noBalance()
    },
    assets: async (memberId) => {
      const [row] = await db.select().from(balance).where(eq(balance.memberId, memberId))
      return assetsOf(row ?? noBalance(), calendar.dayOf(clock.now()))
    },
    announce: (memberId, ...posted) => {
      for (const { entry } of posted) bus.emit(memberId, 'ledger', entry)
      const newest = posted.at(-1)
      if (newest) bus.emit(memberId, 'assets', newest.assets)
    },
  }
}

/** The practice money that opens an account, as a move. */
export function practiceGrant(memberId: string, amount: Minor): Move {
  return { memberId, type: 'grant', legs: { available: amount, grants: negate(amount) } }
}

function lineOf(move: Move, row: BalanceRow, at: number) {
  const ref = refOf(move)
  return {
    id: row.version,
    at,
    type: move.type,
    amount: move.amount ?? move.legs.available ?? 0,
    availableAfter: row.available,
    refKind: ref.kind,
    refId: ref.id,
  }
}

function noBalance(): never {
  throw new Error('A member without a balance.')
}
