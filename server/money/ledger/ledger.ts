import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { ledgerRoutes, type Assets, type LedgerEntry, type LedgerFilters } from '../../../contract/ledger.ts'
import { movementOf, movements, type MovementKind } from '../../../contract/movements.ts'
import { ApiError } from '../../platform/apiError.ts'
import { practiceBalanceOf, type MoneySettings } from '../settings.ts'
import { csvType } from '../../platform/csv.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { balance, type BalanceRow } from '../schema.ts'
import { exportRange } from '../../platform/http/downloads.ts'
import { mount } from '../../platform/http/mount.ts'
import { mountIdempotent } from '../../platform/idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../../platform/idempotency/idempotencyKeys.ts'
import type { Module } from '../../platform/module.ts'
import type { PagedList, PageRequest } from '../../platform/paging.ts'
import type { Clock, MemberBus } from '../../platform/ports.ts'
import { toAssets, toLedgerEntry, type PostingFields } from './assets.ts'
import type { BusinessCalendar } from './businessCalendar.ts'
import { ledgerEntriesCsv, listLedgerEntries } from './ledgerEntries.ts'
import { postTransaction, toPostingRef, type LedgerTransaction, type PostingRef } from './post.ts'

/** What a posting changed, in the wire format. */
export type Posted = { ledgerEntry: LedgerEntry; assets: Assets }

/** The only way to move money. Everything runs inside the caller's transaction, so effect and money commit together. */
export type Ledger = {
  /** Creates a new member's balance, at zero. */
  openBalance(tx: DbTransaction, memberId: string): Promise<void>
  /** Posts a transaction. If an account of the member would fall below zero, nothing changes and it returns null. */
  post(tx: Db | DbTransaction, transaction: LedgerTransaction): Promise<Posted | null>
  /** Locks the member's balance for the rest of the transaction and reads it. */
  lock(tx: DbTransaction, memberId: string): Promise<BalanceRow>
  assets(memberId: string): Promise<Assets>
  /** The member's capital record, newest first. */
  entries(memberId: string, filters: LedgerFilters, page: PageRequest): Promise<PagedList<LedgerEntry>>
  /** Publishes to the member's sockets; call it after the commit. */
  publish(memberId: string, ...posted: readonly Posted[]): void
}

export type LedgerParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  business: BusinessCalendar
  bus: MemberBus
  idempotencyKeys: IdempotencyKeys
  settings: Pick<MoneySettings, 'mode' | 'practiceBalance'>
}

export function createLedger(parts: LedgerParts): Ledger & Module {
  const { db, clock, business, bus } = parts
  const ledger: Ledger = {
    openBalance: async (tx, memberId) => {
      await tx.insert(balance).values({ memberId })
    },
    post: async (tx, transaction) => {
      const at = clock.now()
      const today = business.dayOf(at)
      const row = await postTransaction(tx, transaction, at, today)
      return (
        row && {
          ledgerEntry: toLedgerEntry(toPostingFields(transaction, row, at)),
          assets: toAssets(row, today),
        }
      )
    },
    lock: async (tx, memberId) => {
      const [row] = await tx.select().from(balance).where(eq(balance.memberId, memberId)).for('update')
      return row ?? throwMissingBalance()
    },
    assets: async (memberId) => {
      const [row] = await db.select().from(balance).where(eq(balance.memberId, memberId))
      return toAssets(row ?? throwMissingBalance(), business.dayOf(clock.now()))
    },
    entries: (memberId, filters, page) => listLedgerEntries(db, memberId, filters, page),
    publish: (memberId, ...posted) => {
      for (const { ledgerEntry } of posted) bus.emit(memberId, 'ledger', ledgerEntry)
      const newest = posted.at(-1)
      if (newest) bus.emit(memberId, 'assets', newest.assets)
    },
  }
  return { ...ledger, mount: (app) => mountRoutes(app, parts, ledger) }
}

/** The routes about a member's money: assets, capital record, practice reset. */
function mountRoutes(
  app: FastifyInstance,
  { db, idempotencyKeys, settings }: LedgerParts,
  ledger: Ledger,
): void {
  const practiceBalance = practiceBalanceOf(settings)
  mount(app, ledgerRoutes.assets, ({ member }) => ledger.assets(member.memberId))

  mount(app, ledgerRoutes.ledger, ({ member, query: { limit, cursor, ...filters } }) =>
    ledger.entries(member.memberId, filters, { limit, cursor }),
  )

  mount(app, ledgerRoutes.ledgerCsv, async ({ member, query, reply }) => {
    const { clock, downloads } = app.requestContext
    const pieces = ledgerEntriesCsv(db, member.memberId, { ...query, ...exportRange(query, clock.now()) })
    return downloads.stream({ caller: member.memberId, reply }, { name: 'ledger.csv', type: csvType, pieces })
  })

  mountIdempotent(
    app,
    { db, idempotencyKeys },
    ledgerRoutes.resetPractice,
    async (tx, { member: { memberId } }) => {
      if (practiceBalance === null) throw new ApiError('PRACTICE_ONLY')
      const { available, stakes } = await ledger.lock(tx, memberId)
      if (stakes > 0) throw new ApiError('OPEN_ORDERS')
      const shortfall = practiceBalance - available
      const posted = await ledger.post(tx, transactionOf('reset', memberId, shortfall))
      if (!posted) throw new Error('The reset of a locked balance was rejected.')
      return { answer: posted.assets, afterCommit: () => ledger.publish(memberId, posted) }
    },
  )
}

/** The transaction of a movement that the contract lists; `of` is its cause, the member if it is left out. */
export function transactionOf(
  kind: MovementKind,
  memberId: string,
  amount: number,
  of: Omit<PostingRef, 'kind'> = { id: memberId },
): LedgerTransaction {
  return { memberId, ...movementOf(kind, amount), ref: { kind: movements[kind].cause, ...of } }
}

/** Orders are posted by statements of their own, so no transaction has a product. */
function toPostingFields(transaction: LedgerTransaction, row: BalanceRow, at: number): PostingFields {
  const ref = toPostingRef(transaction)
  return {
    id: row.version,
    at,
    type: transaction.type,
    amount: transaction.amount ?? transaction.legs.available ?? 0,
    availableAfter: row.available,
    held: transaction.legs.held ?? 0,
    fund: transaction.legs.fund ?? 0,
    refKind: ref.kind,
    refId: ref.id,
    no: ref.no ?? null,
    productId: null,
  }
}

function throwMissingBalance(): never {
  throw new Error('The member has no balance.')
}
