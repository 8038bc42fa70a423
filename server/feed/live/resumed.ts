import type { LogLine } from '../../ports.ts'

/** A product whose source is received in full again. */
export type Resumed = { id: string; ms: number; isGap: boolean }

/**
 * Logs that an exchange is heard again: one line for the products with a gap, a warning, and one for those without.
 */
export function logResumed(logLine: LogLine, exchange: string, resumed: readonly Resumed[]): void {
  for (const isGap of [true, false]) {
    const some = resumed.filter((each) => each.isGap === isGap)
    if (some.length === 0) continue
    const seconds = (Math.max(...some.map(({ ms }) => ms)) / 1000).toFixed(1)
    const ids = [...new Set(some.map(({ id }) => id))].join(', ')
    const what = `${exchange} is heard again after ${seconds} s, ${isGap ? 'a gap' : 'no gap'}: ${ids}`
    logLine(isGap ? 'warn' : 'info', what)
  }
}
