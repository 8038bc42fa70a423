import { types } from 'pg'

const int8Oid = types.builtins.INT8

/**
 * Reads PostgreSQL's 64-bit integers as numbers: money in minor units and epoch milliseconds are far below 2^53.
 * @throws RangeError above it, because a rounded balance is worse than a failed query
 */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('A 64-bit integer is too large for a number.')
  return value
}

/**
 * Registers the parsers process-wide, because Drizzle uses those and not the pool's own.
 * `sum(bigint)` is `numeric` in PostgreSQL and stays text: cast it to bigint.
 */
export function registerTypeParsers(): void {
  types.setTypeParser(int8Oid, parseInt8)
}
