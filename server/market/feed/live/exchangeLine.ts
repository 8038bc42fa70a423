import { Lag, type LagVerdict } from './lag.ts'
import type { Line } from './line.ts'
import type { OwnDelay } from './ownDelay.ts'
import type { SubscribedSymbols } from './subscribedSymbols.ts'

/** Exchanges end a connection after 24 hours: lines are renewed before, one at a time. */
const renewAfterMs = 23 * 3_600_000

/** One line of an exchange, with what is known of its connection. */
export class ExchangeLine {
  readonly line: Line
  readonly index: number
  readonly subscribed: SubscribedSymbols
  lateSince: number | null = null
  wantsRenewal = false
  #renewAfterMs: number
  readonly #delay: OwnDelay
  /** The symbols of which this connection has sent a tick. */
  readonly #quoted = new Set<string>()
  readonly #lags = new Map<string, Lag>()

  constructor(line: Line, index: number, subscribed: SubscribedSymbols, delay: OwnDelay) {
    this.line = line
    this.index = index
    this.subscribed = subscribed
    this.#delay = delay
    // The two lines of a group end hours apart.
    this.#renewAfterMs = renewAfterMs / (index + 1)
  }

  lagOf(symbol: string): Lag {
    const known = this.#lags.get(symbol)
    if (known) return known
    const lag = new Lag()
    this.#lags.set(symbol, lag)
    return lag
  }

  /** When a tick arrived, judged by its own instant; the line is late until one is on time. */
  judge(symbol: string, sourceAt: number, now: number, isNumbered: boolean): LagVerdict {
    const lag = this.lagOf(symbol)
    if (!isNumbered && !this.#quoted.has(symbol)) {
      // The first quote of a connection is the state before it, so its age says nothing.
      if (lag.isAhead(sourceAt, now)) return 'wrong'
      this.#quoted.add(symbol)
      return this.lateSince === null ? 'on time' : 'late'
    }
    const verdict = lag.judge(sourceAt, now, this.#delay.at(now))
    if (verdict === 'on time') this.lateSince = null
    else if (verdict === 'late') this.lateSince ??= now
    return verdict
  }

  isOpenFor(symbol: string): boolean {
    return this.line.openedAt !== null && this.subscribed.symbols.has(symbol)
  }

  shouldRenew(ageMs: number): boolean {
    return this.wantsRenewal || ageMs > this.#renewAfterMs
  }

  renew(): void {
    this.#renewAfterMs = renewAfterMs
    this.line.renew('before the exchange ends it')
  }

  /** Whether this line delivers everything that another one does, with market data since `since`. */
  carries(other: ExchangeLine, since: number): boolean {
    return (
      this !== other &&
      this.lateSince === null &&
      this.line.contentAt >= since &&
      [...other.subscribed.joined].every((symbol) => this.subscribed.joined.has(symbol))
    )
  }

  /** The connection is closed. */
  ended(): void {
    this.subscribed.ended()
    this.#quoted.clear()
    this.lateSince = null
    this.wantsRenewal = false
  }
}
