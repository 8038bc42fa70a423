import { createHmac } from 'node:crypto'
import { inArray, notInArray } from 'drizzle-orm'
import type { AnyColumn, SQL } from 'drizzle-orm'
import type { Db, DbTransaction } from './db/database.ts'
import { erasedMember } from './db/schema/closed.ts'
import { sealedIndex } from './db/schema/queue.ts'
import type { SealedKind } from './db/schema/queue.ts'
import { deriveKey } from './keyDerivation.ts'

/** The row in which fields are sealed, and whose they are. */
export type SealedRow = { id: string; memberId: string; fields: Partial<Record<SealedKind, string[]>> }
export type SealedMatch = { kind: SealedKind; memberId: string }

/**
 * Finds members by a whole sealed field (a name, a number of an identity document, a payee) without opening any: beside
 * the sealed row its fields are stored as keyed hashes, of one spelling.
 */
export type SealedIndex = {
  /** In the transaction that seals the row. */
  add(tx: Db | DbTransaction, row: SealedRow): Promise<void>
  /** Adds the rows of earlier builds. Run again, it adds nothing. */
  addMissing(db: Db, ids: readonly string[], read: (ids: string[]) => Promise<SealedRow[]>): Promise<void>
  find(db: Db, text: string): Promise<SealedMatch[]>
}

const batchSize = 200
/** Spaces and letter case are typed in many ways. */
const oneSpelling = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s·.-]/gu, '')

/** Whether two texts name the same, however they are typed. */
export const isSameSpelling = (a: string, b: string): boolean => oneSpelling(a) === oneSpelling(b)

/** @param secret is stored outside the database */
export function createSealedIndex(secret: Uint8Array): SealedIndex {
  const key = deriveKey(secret, 'sealed index')
  const hash = (text: string): string =>
    createHmac('sha256', key).update(oneSpelling(text)).digest('base64url')
  const add: SealedIndex['add'] = async (tx, { id: rowId, memberId, fields }) => {
    const rows = Object.entries(fields).flatMap(([kind, texts]) =>
      texts.map((text) => ({ kind: kind as SealedKind, hash: hash(text), memberId, rowId })),
    )
    if (rows.length > 0) await tx.insert(sealedIndex).values(rows).onConflictDoNothing()
  }
  return {
    add,
    addMissing: async (db, ids, read) => {
      for (let from = 0; from < ids.length; from += batchSize) {
        const batch = ids.slice(from, from + batchSize)
        const known = await db
          .selectDistinct({ id: sealedIndex.rowId })
          .from(sealedIndex)
          .where(inArray(sealedIndex.rowId, [...batch]))
        const indexed = new Set(known.map(({ id }) => id))
        const missing = batch.filter((id) => !indexed.has(id))
        if (missing.length > 0) for (const row of await read(missing)) await add(db, row)
      }
    },
    find: async (db, text) => {
      // Of every kind: a search does not say what was typed.
      const rows = await db
        .selectDistinct({ kind: sealedIndex.kind, memberId: sealedIndex.memberId })
        .from(sealedIndex)
        .where(inArray(sealedIndex.hash, [hash(text)]))
        .limit(50)
      return rows
    },
  }
}

/** The condition that a row's member is not erased: of those there is nothing to find. */
export const notErased = (db: Db, memberId: AnyColumn): SQL =>
  notInArray(memberId, db.select({ id: erasedMember.memberId }).from(erasedMember))
