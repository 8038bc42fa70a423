import { createHmac } from 'node:crypto'
import { and, countDistinct, eq, inArray, ne } from 'drizzle-orm'
import type { Db, DbTransaction } from './db/database.ts'
import { sealedIndex, type SealedKind } from './db/schema.ts'
import { deriveKey } from './keyDerivation.ts'

/** The row in which fields are sealed, and whose they are. */
export type SealedRow = {
  id: string
  memberId: string
  fields: Partial<Record<Exclude<SealedKind, 'namePart'>, string[]>>
}
export type SealedMatch = { kind: Exclude<SealedKind, 'namePart'>; memberId: string }

/**
 * Finds members by a whole sealed field (a name, a number of an identity document, a payee), or by the beginnings of the
 * words of a name, without opening any: beside the sealed row they are stored as keyed hashes, of one spelling.
 */
export type SealedIndex = {
  /** In the transaction that seals the row. */
  add(tx: Db | DbTransaction, row: SealedRow): Promise<void>
  find(db: Db, text: string): Promise<SealedMatch[]>
  /** Of one spelling. */
  hash(text: string): string
}

const findMax = 50

/** Spaces, letter case and apostrophes are typed in many ways. */
const oneSpelling = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’ʼ]/gu, "'")
    .replaceAll(/[\s·.-]/gu, '')

/** Whether two texts name the same, however they are typed. */
export const isSameSpelling = (a: string, b: string): boolean => oneSpelling(a) === oneSpelling(b)

/** Shorter beginnings name too many: of a script of letters, and of one of whole syllables or words. */
const partMin = { letters: 3, syllables: 2 }
const partMax = 12
const isSyllabic = (word: string): boolean => /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(word)
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .split(/[\s·.-]+/u)
    .map(oneSpelling)
    .filter((word) => word !== '')

/** The beginnings of a name's words, and the whole words; of a name without spaces also without its first syllable. */
export function namePartsOf(name: string): string[] {
  const parts = wordsOf(name).flatMap((word) => {
    const letters = Array.from(word)
    const starts = isSyllabic(word) ? [letters, letters.slice(1)] : [letters]
    const min = isSyllabic(word) ? partMin.syllables : partMin.letters
    return starts.flatMap((whole) => [
      ...(whole.length >= partMin.syllables ? [whole.join('')] : []),
      ...Array.from({ length: Math.max(0, Math.min(whole.length, partMax) - min + 1) }, (_, at) =>
        whole.slice(0, min + at).join(''),
      ),
    ])
  })
  return [...new Set(parts)]
}

/** @param secret is stored outside the database */
export function createSealedIndex(secret: Uint8Array): SealedIndex {
  const key = deriveKey(secret, 'sealed index')
  const hash = (text: string): string =>
    createHmac('sha256', key).update(oneSpelling(text)).digest('base64url')
  return {
    hash,
    add: async (tx, { id: rowId, memberId, fields }) => {
      const { name = [] } = fields
      const searched = { ...fields, namePart: name.flatMap(namePartsOf) }
      const rows = Object.entries(searched).flatMap(([kind, texts]) =>
        texts.map((text) => ({ kind: kind as SealedKind, hash: hash(text), memberId, rowId })),
      )
      if (rows.length > 0) await tx.insert(sealedIndex).values(rows).onConflictDoNothing()
    },
    find: async (db, text) => {
      // Of every kind: a search does not say what was typed.
      const rows = await db
        .selectDistinct({ kind: sealedIndex.kind, memberId: sealedIndex.memberId })
        .from(sealedIndex)
        .where(and(eq(sealedIndex.hash, hash(text)), ne(sealedIndex.kind, 'namePart')))
        .limit(findMax)
      const parts = [
        ...new Set(wordsOf(text).map((word) => hash(Array.from(word).slice(0, partMax).join('')))),
      ]
      const byName = await db
        .select({ memberId: sealedIndex.memberId })
        .from(sealedIndex)
        .where(and(eq(sealedIndex.kind, 'namePart'), inArray(sealedIndex.hash, parts)))
        .groupBy(sealedIndex.memberId)
        .having(eq(countDistinct(sealedIndex.hash), parts.length))
        .limit(findMax)
      const found = [...rows, ...byName.map(({ memberId }) => ({ kind: 'name' as const, memberId }))]
      return [...new Map(found.map((one) => [`${one.kind} ${one.memberId}`, one as SealedMatch])).values()]
    },
  }
}
