import { sql } from 'drizzle-orm'
import { createBatchQueue } from '../batchQueue.ts'
import type { Db } from '../db/database.ts'
import { idempotency } from '../db/schema.ts'

/** What a key belongs to. */
export type KeyScope = { memberId: string; method: string; path: string; key: string }

type StoredRow = typeof idempotency.$inferSelect
type Lookup = {
  scope: KeyScope
  resolve: (row: StoredRow | null) => void
  reject: (error: unknown) => void
}

/** The most lookups in one query; more wait for the next. */
const batchMax = 128

export const toScopeId = ({ memberId, method, path, key }: KeyScope): string =>
  `${memberId} ${method} ${path} ${key}`

/** Reads the stored answer of a key, null if there is none. Lookups that wait together are one query. */
export function createStoredAnswers(db: Db): (scope: KeyScope) => Promise<StoredRow | null> {
  const queue = createBatchQueue<Lookup>(async (lookups) => {
    try {
      const rows = await readRows(
        db,
        lookups.map(({ scope }) => scope),
      )
      for (const { scope, resolve } of lookups) resolve(rows.get(toScopeId(scope)) ?? null)
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
  }, batchMax)
  return (scope) => new Promise((resolve, reject) => queue.push({ scope, resolve, reject }))
}

async function readRows(db: Db, scopes: readonly KeyScope[]): Promise<Map<string, StoredRow>> {
  const column = (name: keyof KeyScope) => sql`${sql.param(scopes.map((scope) => scope[name]))}::text[]`
  const keys = sql`SELECT * FROM unnest(${column('memberId')}, ${column('method')}, ${column('path')}, ${column('key')})`
  const { memberId, method, path, key } = idempotency
  const rows = await db
    .select()
    .from(idempotency)
    .where(sql`(${memberId}, ${method}, ${path}, ${key}) IN (${keys})`)
  return new Map(rows.map((row) => [toScopeId(row), row]))
}
