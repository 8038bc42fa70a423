import { minuteMs, secondMs } from '../../../contract/time.ts'
import { retryStart } from '../retryStart.ts'
import { databaseTrouble, type DatabaseTrouble } from './trouble.ts'

/** A server that starts again refuses connections for a moment; a wrong address does so permanently. */
const refusedMs = 5 * secondMs
/** One that recovers says so, and may need longer. */
const recoveringMs = minuteMs
const recoveringCode = '57P03'

/**
 * Opens a database whose server may be starting, as after a restart that ended this venue too.
 * @param onWaiting called once, before the first wait
 * @throws the error of the last try
 */
export const waitForStart = <T>(
  open: () => Promise<T>,
  onWaiting: (trouble: DatabaseTrouble) => void,
): Promise<T> =>
  retryStart(
    open,
    (error) => {
      const trouble = databaseTrouble(error)
      return trouble === null ? 0 : maxWaitOf(trouble)
    },
    (error) => {
      const trouble = databaseTrouble(error)
      if (trouble !== null) onWaiting(trouble)
    },
  )

function maxWaitOf({ kind, code }: DatabaseTrouble): number {
  if (code === recoveringCode) return recoveringMs
  return kind === 'lost' || code === 'ECONNREFUSED' ? refusedMs : 0
}
