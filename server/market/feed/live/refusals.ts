import { backoffMs } from '../../../../contract/backoff.ts'
import type { LogLine } from '../../../platform/ports.ts'

/** A refused symbol is tried again after 10 s, 20 s, 40 s … 5 minutes. */
const [retryMinMs, retryMaxMs] = [10_000, 300_000]

/**
 * The symbols that an exchange refuses, for one purpose. Each is named in the log once, and again when it is accepted;
 * meanwhile it is tried now and then, since a product may be listed again.
 */
export class Refusals {
  readonly #logLine: (level: 'info' | 'error', what: string) => void
  readonly #refused = new Map<string, { count: number; retryAt: number }>()

  /** @param what is refused, such as `binance: subscription` */
  constructor(what: string, logLine: LogLine) {
    this.#logLine = (level, text) => logLine(level, `${what} ${text}`)
  }

  has(symbol: string): boolean {
    return this.#refused.size > 0 && this.#refused.has(symbol)
  }

  refuse(symbol: string, why: string, now: number): void {
    if (this.#refused.has(symbol)) return
    this.#refused.set(symbol, { count: 1, retryAt: now + retryMinMs })
    this.#logLine('error', `rejected: ${symbol}: ${why}; it is tried again now and then`)
  }

  accept(symbol: string): void {
    if (this.#refused.size > 0 && this.#refused.delete(symbol))
      this.#logLine('info', `accepted again: ${symbol}`)
  }

  /** Whether a symbol may be tried: if it is refused, this is its next attempt. */
  mayTry(symbol: string, now: number): boolean {
    const refused = this.#refused.size > 0 ? this.#refused.get(symbol) : undefined
    if (!refused) return true
    if (now < refused.retryAt) return false
    refused.count++
    refused.retryAt = now + backoffMs(refused.count, retryMinMs, retryMaxMs)
    return true
  }
}
