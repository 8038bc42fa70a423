import { feedLiveMs, feedStaleMs } from '../../contract/constants.ts'
import type { FeedStatus } from '../../contract/socket.ts'
import type { Clock } from '../platform/ports.ts'
import type { TradingHours } from './ports.ts'
import type { ProductState } from './productState.ts'

/** Whether a product trades at `now`. Maintenance has priority over closed hours and ends by itself at its `opensAt`. */
export function tradingHoursOf(
  { maintenance, feed }: Pick<ProductState, 'maintenance' | 'feed'>,
  now: number,
): TradingHours {
  if (maintenance && (maintenance.opensAt === null || now < maintenance.opensAt)) {
    return { status: 'maintenance', opensAt: maintenance.opensAt, closesAt: null }
  }
  const { open, opensAt, closesAt } = feed.tradingHoursAt(now)
  return { status: open ? 'open' : 'closed', opensAt, closesAt }
}

const isSameTradingHours = (a: TradingHours, b: TradingHours): boolean =>
  a.status === b.status && a.opensAt === b.opensAt && a.closesAt === b.closesAt

/** The status of a feed whose watermark is this far behind the clock. */
export function feedStatusOf(behindMs: number): FeedStatus {
  if (behindMs <= feedLiveMs) return 'live'
  return behindMs <= feedStaleMs ? 'stale' : 'down'
}

type TradingHoursListener = (id: string, tradingHours: TradingHours) => void

/** Notifies listeners when products open, close, or enter or leave maintenance. */
export class TradingHoursWatcher {
  readonly #productStates: readonly ProductState[]
  readonly #clock: Clock
  readonly #report: (what: string, error: unknown) => void
  readonly #lastKnown = new Map<string, TradingHours>()
  readonly #listeners = new Set<TradingHoursListener>()

  constructor(
    productStates: readonly ProductState[],
    clock: Clock,
    report: (what: string, error: unknown) => void,
  ) {
    this.#productStates = productStates
    this.#clock = clock
    this.#report = report
    this.check()
  }

  onChange(listener: TradingHoursListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Compares each product with its last known state, and notifies the listeners of changes. */
  check(): void {
    const now = this.#clock.now()
    for (const state of this.#productStates) {
      const { id } = state.settings
      const tradingHours = tradingHoursOf(state, now)
      const before = this.#lastKnown.get(id)
      if (before && isSameTradingHours(before, tradingHours)) continue
      this.#lastKnown.set(id, tradingHours)
      if (before) this.#notify(id, tradingHours)
    }
  }

  #notify(id: string, tradingHours: TradingHours): void {
    for (const listener of this.#listeners) {
      try {
        listener(id, tradingHours)
      } catch (error) {
        this.#report('a trading hours listener failed', error)
      }
    }
  }
}
