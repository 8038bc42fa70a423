import { setTimeout as wait } from 'node:timers/promises'
import { backoffMs } from '../../../contract/backoff.ts'
import { isSerializationFailure } from './errors.ts'

export type RetryOptions = {
  /** Number of runs, including the first one. */
  readonly attempts?: number
  /** Upper bound of the wait before the second run; doubles each time, up to a second. */
  readonly firstWaitMs?: number
  readonly random?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
}

const maxWaitMs = 1000

/**
 * Runs a transaction again if it lost against another one (SQLSTATE 40001, 40P01), a bounded number of times.
 * Waits are random below a doubling bound, so that two transactions do not collide again.
 * @throws the error of the last run
 */
export async function withRetry<T>(run: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { attempts = 6, firstWaitMs = 4, random = Math.random, pause = wait } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attempts || !isSerializationFailure(error)) throw error
      await pause(Math.ceil(random() * backoffMs(attempt, firstWaitMs, maxWaitMs)))
    }
  }
}
