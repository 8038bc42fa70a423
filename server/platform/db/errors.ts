import { DatabaseError } from 'pg'

/** What may be logged of a database error: no SQL, no parameters, no row values. */
export type SafeDbError = {
  readonly code: string | null
  readonly constraint: string | null
  readonly table: string | null
}

const causeDepthMax = 8

/** An error and the errors that it wraps, outermost first (Drizzle puts PostgreSQL's own in `cause`). */
export function errorChain(error: unknown): Error[] {
  const chain: Error[] = []
  let current: unknown = error
  for (let depth = 0; depth < causeDepthMax && current instanceof Error; depth += 1) {
    chain.push(current)
    current = current.cause
  }
  return chain
}

/** PostgreSQL's own error inside the errors that wrap it. */
export const databaseError = (error: unknown): DatabaseError | null =>
  errorChain(error).find((each) => each instanceof DatabaseError) ?? null

/** SQLSTATE of a database error (`23505`), or the system code of a lost connection (`ECONNREFUSED`), or null. */
export function pgCode(error: unknown): string | null {
  const dbError = databaseError(error)
  if (dbError !== null) return dbError.code ?? null
  for (const each of errorChain(error)) if ('code' in each && typeof each.code === 'string') return each.code
  return null
}

/** Whether a unique constraint rejected the row; with a name, that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const dbError = databaseError(error)
  return dbError?.code === '23505' && (constraint === undefined || dbError.constraint === constraint)
}

/** Whether a check constraint rejected the row; with a name, that one. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  const dbError = databaseError(error)
  return dbError?.code === '23514' && (constraint === undefined || dbError.constraint === constraint)
}

/** Whether the database rejected what one person did, because it takes two. */
export const takesTwoPersons = (error: unknown): boolean => databaseError(error)?.constraint === 'two_persons'

/** Whether the database rejected a proposal, or what was decided about one, for its persons. */
export function isProposalRejected(error: unknown): boolean {
  const dbError = databaseError(error)
  return dbError?.code === '23001' && dbError.table === 'proposal'
}

/** Whether the database rejected a withdrawal, or a transfer to the fund, of a deposit that waits for a second person. */
export const awaitsSecondPerson = (error: unknown): boolean =>
  databaseError(error)?.constraint === 'awaits_second_person'

/**
 * Whether the database itself rejected the statement, so that nothing of it was or will be committed. False for a
 * connection that broke or was ended: the outcome of its statement is unknown.
 */
export function isRejectedByDatabase(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code !== undefined && !/^(08|57P)/.test(code)
}

/** Whether the transaction lost against another (serialisation failure or deadlock) and may be run again. */
export function isSerializationFailure(error: unknown): boolean {
  const code = pgCode(error)
  return code === '40001' || code === '40P01'
}

/** The part of a database error that contains no member data. */
export function safeDbError(error: unknown): SafeDbError {
  const dbError = databaseError(error)
  return { code: pgCode(error), constraint: dbError?.constraint ?? null, table: dbError?.table ?? null }
}

/** SQLSTATE of what is added to a closed account. */
const closedCode = 'UT003'

/** Whether the statement was rejected because the account was closed meanwhile. */
export const isOfClosedAccount = (error: unknown): boolean => pgCode(error) === closedCode
