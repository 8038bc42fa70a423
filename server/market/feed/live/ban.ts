import { backoffMs } from '../../../../contract/backoff.ts'
import { dayMs, minuteMs } from '../../../../contract/time.ts'
import type { LogLine } from '../../../platform/ports.ts'

/** What an exchange answers instead of opening a connection or answering a call. */
export type HttpRefusal = { status: number; retryAfter: string | null }

/** Without a time in the answer: 30 s, doubled with each further ban. */
const [firstMs, mostMs] = [30_000, 30 * minuteMs]
const shortestMs = 1000
/** The longest ban that exchanges are known to impose. A wrong header must not stop a feed indefinitely. */
const longestMs = 3 * dayMs
/** Answers to what was under way when a ban began are no further ban. */
const sameBanMs = 10_000

/**
 * How long an exchange asks for no requests. A client that continues after 418 (banned) or 429 (too many requests) is
 * banned for longer, so all lines and calls wait; 503 counts if it names a time.
 */
export class Ban {
  readonly #name: string
  readonly #logLine: LogLine
  #until = Number.NEGATIVE_INFINITY
  #failures = 0

  constructor(name: string, logLine: LogLine) {
    this.#name = name
    this.#logLine = logLine
  }

  /** No attempt before this instant. */
  get until(): number {
    return this.#until
  }

  /** @returns whether the answer is a ban */
  record({ status, retryAfter }: HttpRefusal, now: number): boolean {
    const namedMs = retryAfter === null ? null : readRetryAfter(retryAfter, now)
    if (status !== 418 && status !== 429 && (status !== 503 || namedMs === null)) return false
    const isNew = now >= this.#until
    if (isNew) this.#failures++
    const ownMs = isNew ? backoffMs(this.#failures, firstMs, mostMs) : 0
    const until = now + Math.min(longestMs, Math.max(shortestMs, namedMs ?? ownMs))
    if (isNew || until > this.#until + sameBanMs) {
      const at = new Date(until).toISOString()
      this.#logLine('warn', `${this.#name}: answered ${status}, no connection and no call before ${at}`)
    }
    this.#until = Math.max(this.#until, until)
    return true
  }

  /** A connection was opened or a call answered. */
  lifted(): void {
    this.#failures = 0
  }
}

/** The header `Retry-After`, seconds or a date, as ms from now; null if it cannot be read. */
function readRetryAfter(text: string, now: number): number | null {
  if (/^\s*\d{1,12}\s*$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
