import { DatabaseError } from 'pg'

/** What may be logged of a database error: no SQL, no parameters, no row values. */
export type SafeDbError = {
  readonly code: string | null
  readonly constraint: string | null
  readonly table: string | null
}

const deepestCause = 8

/** PostgreSQL's own error inside whatever wrapped it (Drizzle puts it in `cause`). */
function databaseError(error: unknown): DatabaseError | null {
  let at: unknown = error
  for (let depth = 0; depth < deepestCause && at instanceof Error; depth += 1) {
    if (at instanceof DatabaseError) return at
    at = at.cause
  }
  return null
}

/** SQLSTATE of a database error (`23505`), or the system code of a lost connection (`ECONNREFUSED`), or null. */
export function pgCode(error: unknown): string | null {
  const found = databaseError(error)
  if (found !== null) return found.code ?? null
  let at: unknown = error
  for (let depth = 0; depth < deepestCause && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code
    at = at.cause
  }
  return null
}

/** Whether a unique constraint refused the row; with a name, that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = databaseError(error)
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint)
}

/** Whether a check constraint refused the row; with a name, that one. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  const found = databaseError(error)
  return found?.code === '23514' && (constraint === undefined || found.constraint === constraint)
}

/**
 * Whether the database itself refused the statement, so that nothing of it was or will be committed. False for a
 * connection that broke or was ended: what became of its statement is unknown.
 */
export function isRejectedByDatabase(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code !== undefined && !/^(08|57P)/.test(code)
}

/** Whether the transaction lost against another (serialization failure or deadlock) and may be run again. */
export function isSerializationFailure(error: unknown): boolean {
  const code = pgCode(error)
  return code === '40001' || code === '40P01'
}

/** The part of a database error that carries no member's data. */
export function safeDbError(error: unknown): SafeDbError {
  const found = databaseError(error)
  return { code: pgCode(error), constraint: found?.constraint ?? null, table: found?.table ?? null }
}
