import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import {
  isCheckViolation,
  isSerializationFailure,
  isUniqueViolation,
  pgCode,
  safeDbError,
} from '../../../../server/platform/db/errors.ts'
import { withRetry } from '../../../../server/platform/db/retry.ts'

function dbError(code: string, fields: Partial<DatabaseError> = {}): DrizzleQueryError {
  const error = new DatabaseError('Key (email)=(someone@example.com) already exists.', 0, 'error')
  return new DrizzleQueryError(
    'INSERT INTO member',
    ['someone@example.com'],
    Object.assign(error, { code }, fields),
  )
}

describe('database errors', () => {
  it('are recognised by code and constraint, however deep they are wrapped', () => {
    const error = new Error('outer', {
      cause: dbError('23505', { constraint: 'member_email', table: 'member' }),
    })
    expect(pgCode(error)).toBe('23505')
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'member_email')).toBe(true)
    expect(isUniqueViolation(error, 'member_phone')).toBe(false)
    expect(isCheckViolation(error)).toBe(false)
    expect(isCheckViolation(dbError('23514'))).toBe(true)
  })

  it('are logged without the statement, its values or the row', () => {
    const safe = safeDbError(
      dbError('23505', { constraint: 'member_email', table: 'member', detail: 'Key (email)' }),
    )
    expect(safe).toEqual({ code: '23505', constraint: 'member_email', table: 'member' })
  })

  it('have a code only if they are from the database or the system', () => {
    expect(pgCode(new Error('no'))).toBeNull()
    expect(pgCode('no')).toBeNull()
    expect(pgCode(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED')
    const circle = new Error('round')
    circle.cause = circle
    expect(pgCode(circle)).toBeNull()
  })
})

describe('withRetry', () => {
  it.each(['40001', '40P01'])(
    'runs a transaction again after %s, with a doubling bound of the wait',
    async (code) => {
      expect(isSerializationFailure(dbError(code))).toBe(true)
      const waits: number[] = []
      let runs = 0
      const result = await withRetry(
        async () => {
          runs += 1
          if (runs < 4) throw dbError(code)
          return 'done'
        },
        { random: () => 1, firstWaitMs: 4, pause: async (ms) => waits.push(ms) },
      )
      expect({ result, runs, waits }).toEqual({ result: 'done', runs: 4, waits: [4, 8, 16] })
    },
  )

  it('gives up after a bounded number of runs', async () => {
    let runs = 0
    const run = async (): Promise<never> => {
      runs += 1
      throw dbError('40001')
    }
    await expect(withRetry(run, { attempts: 3, pause: async () => undefined })).rejects.toThrow()
    expect(runs).toBe(3)
  })

  it('does not run again after any other failure', async () => {
    let runs = 0
    const run = async (): Promise<never> => {
      runs += 1
      throw dbError('23505')
    }
    await expect(withRetry(run)).rejects.toThrow()
    expect(runs).toBe(1)
  })
})
