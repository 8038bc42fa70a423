import type { LiveFeed, LiveReading, LiveSource, LiveTick } from '../../server/market/feed/feed.ts'
import type { Clock } from '../../server/platform/ports.ts'

export type FakeExchange = {
  source: LiveSource
  /** A trade that the venue receives now. */
  trade(price: number, size?: number, sourceId?: string): LiveTick
  /** Nothing is received from now on. */
  drop(): void
  /** Everything is received again. `missed`: the time in between is lost; `whole`: nothing happened in it. */
  comeBack(how: 'missed' | 'whole'): void
  /** How far the log said that it is committed, call by call. */
  readonly committed: readonly number[]
  readonly openFeeds: number
}

export type FakeExchangeOptions = {
  fingerprint?: string
  openingPrice?: number | null
  /** Every reading fails. */
  broken?: boolean
}

/**
 * An exchange that a test plays, as the live feed of one product. It keeps the promises of `LiveFeed`: ticks arrive after
 * everything that a reading covered, and what is not committed is read again.
 */
export function fakeExchange(clock: Pick<Clock, 'now'>, options: FakeExchangeOptions = {}): FakeExchange {
  const { fingerprint = 'exchange:fake:TEST', openingPrice = null, broken = false } = options
  const committed: number[] = []
  let isReceived = true
  let openFeeds = 0
  let coveredUntil = clock.now()
  let ticks: LiveTick[] = []
  let gaps: LiveReading['gaps'] = []
  let lastId = 1_000_000
  const cover = (): void => {
    if (isReceived) coveredUntil = Math.max(coveredUntil, clock.now())
  }
  const feed: LiveFeed = {
    kind: 'live',
    read: () => {
      if (broken) throw new Error('the feed is broken')
      cover()
      return { ticks: ticks.filter(({ at }) => at <= coveredUntil), coveredUntil, gaps: [...gaps] }
    },
    committed: (until) => {
      committed.push(until)
      ticks = ticks.filter(({ at }) => at > until)
      gaps = gaps.filter(({ to }) => to > until)
    },
    tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
    openingPrice,
    get isListening() {
      return openFeeds > 0
    },
    start: async () => {
      openFeeds++
      ticks = []
      gaps = []
      coveredUntil = clock.now()
    },
    close: async () => {
      openFeeds--
    },
  }
  return {
    source: { kind: 'live', fingerprint, label: 'live: fake', open: () => feed },
    trade: (price, size = 1, sourceId = String(++lastId)) => {
      const at = Math.max(clock.now(), coveredUntil + 1)
      const tick = { at, price, size, sourceId, sourceAt: at - 150 }
      ticks.push(tick)
      return tick
    },
    drop: () => {
      cover()
      isReceived = false
    },
    comeBack: (how) => {
      const now = clock.now()
      if (how === 'missed' && now > coveredUntil) gaps = [...gaps, { from: coveredUntil, to: now }]
      isReceived = true
      cover()
    },
    committed,
    get openFeeds() {
      return openFeeds
    },
  }
}
