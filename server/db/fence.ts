import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db, DbTransaction } from './database.ts'
import { pgCode } from './errors.ts'

/** Another process leads, or this one can no longer prove that it does. It must end at once. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** SQLSTATE of `held_term` (migration 70): the lease has another term. */
const termOverCode = 'UT001'

/**
 * The leader's term, named in every statement that only the leader may make. In SQL it is `held_term(term)`, which
 * returns the term and locks the lease for the transaction, or fails with SQLSTATE UT001.
 */
export type Fence = {
  readonly term: number
  /** Runs work that names the term; where the term is over, `onLost` is called before the error is thrown on. */
  guard<T>(work: () => Promise<T>): Promise<T>
  /** A transaction that holds the term from its first statement on. */
  transaction<T>(db: Db | DbTransaction, work: (tx: DbTransaction) => Promise<T>): Promise<T>
  /** Ends the term from this side: the log holds what this leader did not write. */
  declareLost(why: string): LeaseLostError
}

/** @param onLost called once; the process must end and write nothing more */
export function createFence(term: number, onLost: (error: LeaseLostError) => void): Fence {
  let lost: LeaseLostError | null = null
  const declareLost = (why: string): LeaseLostError => {
    if (lost === null) {
      lost = new LeaseLostError(why)
      onLost(lost)
    }
    return lost
  }
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (lost !== null) throw lost
    try {
      return await work()
    } catch (error) {
      if (pgCode(error) !== termOverCode) throw error
      throw declareLost(`term ${term} is over: another process leads this database`)
    }
  }
  return {
    term,
    guard,
    declareLost,
    transaction: (db, work) =>
      guard(() =>
        db.transaction(async (tx) => {
          await tx.execute(sql`SELECT ${heldTerm(term)}`)
          return work(tx)
        }),
      ),
  }
}

/** The term as a value of a statement; the statement fails where it is over. */
export const heldTerm = (term: unknown): SQL<number> => sql<number>`held_term(${term}::bigint)`
