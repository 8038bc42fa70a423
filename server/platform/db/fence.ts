import { sql, type SQL } from 'drizzle-orm'
import type { Db, DbTransaction } from './database.ts'
import { pgCode } from './errors.ts'

/** Another process leads, or this one can no longer prove that it does. It must end at once. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** SQLSTATE of `held_term`: the lease has another term. */
const termOverCode = 'UT001'

/**
 * The leader's term, a parameter of every statement that only the leader may run. In SQL it is `held_term(term)`, which
 * returns the term and locks the lease for the transaction, or fails with SQLSTATE UT001.
 */
export type Fence = {
  readonly term: number
  /** Runs work whose statements name the term. If the term has ended, calls `onLost` and throws LeaseLostError. */
  guard<T>(work: () => Promise<T>): Promise<T>
  /** A transaction whose first statement locks the term. */
  transaction<T>(db: Db | DbTransaction, work: (tx: DbTransaction) => Promise<T>): Promise<T>
  /** Ends the term from this side, because the log has something that this leader did not write. */
  declareLost(reason: string): LeaseLostError
}

/** @param onLost called once; the process must end and write nothing more */
export function createFence(term: number, onLost: (error: LeaseLostError) => void): Fence {
  let lost: LeaseLostError | null = null
  const declareLost = (reason: string): LeaseLostError => {
    if (lost === null) {
      lost = new LeaseLostError(reason)
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
          // It may be lost between two runs of the same transaction.
          if (lost !== null) throw lost
          await tx.execute(sql`SELECT ${heldTerm(term)}`)
          return work(tx)
        }),
      ),
  }
}

/** The term as a value in a statement; the statement fails if the term has ended. */
export const heldTerm = (term: unknown): SQL<number> => sql<number>`held_term(${term}::bigint)`
