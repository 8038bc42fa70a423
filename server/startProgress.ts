import { secondMs } from '../contract/time.ts'
import type { Logger } from 'pino'

/** Does one step of a start. If it takes longer than a second, the log says so then, and when it is done. */
export async function step<T>(
  logger: Pick<Logger, 'info'>,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const begunAt = performance.now()
  let isTold = false
  const timer = setTimeout(() => {
    isTold = true
    logger.info(`starting: ${what} …`)
  }, secondMs)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    if (isTold) logger.info(`starting: ${what}: ${Math.round((performance.now() - begunAt) / secondMs)} s`)
  }
}
