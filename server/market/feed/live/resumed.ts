import type { LogLine } from '../../../platform/ports.ts'

/** A product whose source is received in full again after an interruption (from, to]. */
export type Resumed = { from: number; to: number; isGap: boolean }

/** Interruptions with less than this between them are one, ms: dropped ticks make a gap every two seconds. */
const settledMs = 4000

/** The interruptions of an exchange's products, logged once each product has received prices again for some seconds. */
export class ResumedLog {
  readonly #logLine: LogLine
  readonly #exchange: string
  readonly #resumed = new Map<string, Resumed>()

  constructor(logLine: LogLine, exchange: string) {
    this.#logLine = logLine
    this.#exchange = exchange
  }

  add(id: string, { from, to, isGap }: Resumed): void {
    const before = this.#resumed.get(id)
    this.#resumed.set(id, { from: before?.from ?? from, to, isGap: isGap || before?.isGap === true })
  }

  /**
   * Logs what has lasted: one line for the products with a gap, a warning, and one for those without.
   * @param isHeard whether anything of a product has arrived
   */
  log(now: number, isHeard: (id: string) => boolean): void {
    if (this.#resumed.size === 0) return
    const settled = [...this.#resumed].filter(([, { to }]) => now - to >= settledMs)
    for (const [id] of settled) this.#resumed.delete(id)
    for (const isGap of [true, false]) {
      const some = settled.filter(([id, each]) => each.isGap === isGap && isHeard(id))
      if (some.length === 0) continue
      const seconds = (Math.max(...some.map(([, { from, to }]) => to - from)) / 1000).toFixed(1)
      const ids = some.map(([id]) => id).join(', ')
      const what = `${this.#exchange} is heard again after ${seconds} s, ${isGap ? 'a gap' : 'no gap'}: ${ids}`
      this.#logLine(isGap ? 'warn' : 'info', what)
    }
  }
}
