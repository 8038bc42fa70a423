import { setTimeout as wait } from 'node:timers/promises'
import { backoffMs } from '../../contract/backoff.ts'
import { minuteMs, secondMs } from '../../contract/time.ts'
import { databaseTrouble } from './trouble.ts'
import type { DatabaseTrouble } from './trouble.ts'

/** A server that starts again refuses connections for a moment; a wrong address does so for ever. */
const refusedMs = 5 * secondMs
/** One that recovers says so, and may need longer. */
const recoveringMs = minuteMs
const recoveringCode = '57P03'
const [firstPauseMs, maxPauseMs] = [100, secondMs]

/**
 * Opens a database whose server may be starting, as after a restart that ended this venue too: tries again for a bounded time.
 * @param onWaiting called once, before the first wait
 * @throws the error of the last try
 */
export async function waitForStart<T>(
  open: () => Promise<T>,
  onWaiting: (trouble: DatabaseTrouble) => void,
): Promise<T> {
  const begunAt = performance.now()
  for (let failures = 1; ; failures += 1) {
    try {
      return await open()
    } catch (error) {
      const trouble = databaseTrouble(error)
      if (trouble === null || maxWaitOf(trouble) < performance.now() - begunAt) throw error
      if (failures === 1) onWaiting(trouble)
      await wait(backoffMs(failures, firstPauseMs, maxPauseMs))
    }
  }
}

function maxWaitOf({ kind, code }: DatabaseTrouble): number {
  if (code === recoveringCode) return recoveringMs
  return kind === 'lost' || code === 'ECONNREFUSED' ? refusedMs : 0
}
