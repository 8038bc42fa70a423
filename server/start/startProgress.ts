import { secondMs } from '../../contract/time.ts'
import type { Logger } from 'pino'

type Terminal = { write(text: string): unknown }
type Step = { what: string; begunAt: number }

const running = new Set<Step>()
/** Where the steps of a start are shown; null if that is no terminal. A process has one. */
let terminal: Terminal | null = null
let repeating: NodeJS.Timeout | undefined

/** From now on a terminal shows each second what a start does, in one line that changes. */
export function showProgress(stream: Terminal): void {
  terminal = stream
  repeating = setInterval(showRunning, secondMs).unref()
  showRunning()
}

/** The start has ended: the terminal is free for other lines. */
export function endProgress(): void {
  clearInterval(repeating)
  terminal?.write(emptyLine)
  terminal = null
}

/** Clears the line that a terminal shows. */
export const emptyLine = '\r\u001b[K'

/** Of steps that run at once the one that began first. */
function showRunning(): void {
  const [step = null] = running
  if (step === null) return
  const { what } = step
  terminal?.write(`${emptyLine}${what.charAt(0).toUpperCase()}${what.slice(1)} … ${secondsSince(step)} s`)
}

const secondsSince = ({ begunAt }: Step): number => Math.round((performance.now() - begunAt) / secondMs)

/** Does one step of a start. If it takes longer than a second, the log says so then, and when it is done. */
export async function step<T>(
  logger: Pick<Logger, 'info'>,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const begun: Step = { what, begunAt: performance.now() }
  running.add(begun)
  showRunning()
  let isLogged = false
  const timer = setTimeout(() => {
    isLogged = true
    logger.info(`starting: ${what} …`)
  }, secondMs)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    running.delete(begun)
    showRunning()
    if (isLogged) logger.info(`starting: ${what}: ${secondsSince(begun)} s`)
  }
}
