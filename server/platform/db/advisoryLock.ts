import { sql } from 'drizzle-orm'
import type { DbTransaction } from './database.ts'

/** Waits until no other transaction has locked this name, and locks it up to the end of this one. */
export const lockUntilCommit = async (tx: DbTransaction, name: string): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
